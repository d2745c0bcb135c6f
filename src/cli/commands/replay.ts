import { print } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { required, text } from "../terminal/flags.js";

export const replay = command({
  name: "replay",
  about: "run a step that gave a NaN once more, and say which node made it",
  words: { folder: required(text("<folder>", "a folder called non-finite-step-N in a run folder")) },
  flags: {},
  run: async ({ folder }, { library }) => print(await library.replayStep(folder)),
});
