import { command } from "../terminal/command.js";
import { choice, numbers, usually, whole } from "../terminal/flags.js";
import { seed } from "../terminal/shared.js";
import { showStudy, studyFlags, studyWords } from "../terminal/study.js";

export const studyThreshold = command({
  name: "study threshold",
  about: "how many labelled images a threshold takes, beside γ, which takes none: the paper's Fig. 6",
  words: studyWords,
  flags: {
    labelled: usually(
      numbers(
        "<counts>",
        "images to choose a threshold on, joined by commas",
        "that are whole, from 1 on",
        (count) => Number.isInteger(count) && count >= 1,
      ),
      "1,2,5,10,20,50",
    ),
    trials: usually(whole("<n>", [1, 10_000], "random choices of those images"), "100"),
    objective: usually(choice("<name>", ["amd", "f05"], "what is chosen for and measured: amd or f05"), "amd"),
    seed: usually(seed("seed of the random choices"), "0"),
    ...studyFlags,
  },
  run: ({ runs, json, csv, ...options }, { library }) =>
    showStudy((onNote) => library.studyThreshold(runs, { ...options, onNote }), { json, csv }, library),
});
