import { command } from "../terminal/command.js";
import { text } from "../terminal/flags.js";
import { showStudy, studyFlags, studyWords } from "../terminal/study.js";

export const studyTransfer = command({
  name: "study transfer",
  about: "what the best threshold of a model's own domain loses in other domains: the paper's Table 11",
  words: studyWords,
  flags: {
    own: text("<name>", "the runs' own data set, or a part of its name; that of the last target when left out"),
    ...studyFlags,
  },
  run: ({ runs, json, csv, ...options }, { library }) =>
    showStudy((onNote) => library.studyTransfer(runs, { ...options, onNote }), { json, csv }, library),
});
