import { command } from "../terminal/command.js";
import { texts } from "../terminal/flags.js";
import { showStudy, studyFlags } from "../terminal/study.js";

export const studyPaper = command({
  name: "study paper",
  about: "the paper's numbers beside those of runs and the difference, or alone: Tables 2 to 9, 13 and 14",
  words: {
    runs: texts("[runs...]", "run folders with results of gssl evaluate; the paper's numbers alone without any"),
  },
  flags: studyFlags,
  run: ({ runs, json, csv, ...options }, { library }) =>
    showStudy((onNote) => library.studyPaper(runs, { ...options, onNote }), { json, csv }, library),
});
