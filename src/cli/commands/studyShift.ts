import { command } from "../terminal/command.js";
import { texts } from "../terminal/flags.js";
import { showStudy, studyFlags, studyWords } from "../terminal/study.js";

export const studyShift = command({
  name: "study shift",
  about: "how much each measure changes from one domain to the next: the paper's Table 10",
  words: studyWords,
  flags: {
    order: texts("<names...>", "data sets from the least shift to the most, or parts of their names"),
    ...studyFlags,
  },
  run: ({ runs, json, csv, ...options }, { library }) =>
    showStudy((onNote) => library.studyShift(runs, { ...options, onNote }), { json, csv }, library),
});
