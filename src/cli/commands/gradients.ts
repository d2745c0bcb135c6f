import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { choice, usually } from "../terminal/flags.js";
import { cache, json } from "../terminal/shared.js";

export const gradients = command({
  name: "gradients",
  about: "which loss teaches which network, measured on a batch of drawn images",
  words: {},
  flags: {
    profile: usually(
      choice("<name>", ({ profileNames }) => profileNames, "small, paper or official"),
      "paper",
    ),
    ablation: choice("<name>", ({ ablationNames }) => ablationNames, "with one thing taken away (docs/method.md)"),
    stage: usually(
      choice("<name>", ["pretraining", "warm-up", "adaptation"], "pretraining, warm-up or adaptation"),
      "adaptation",
    ),
    cache,
    json,
  },
  async run({ json, ...options }, { library }) {
    const table = await library.gradientTable(options);
    if (json) printJson(table, 1);
    else print(library.printGradientTable(table));
  },
});
