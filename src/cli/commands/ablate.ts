import { print } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { choices, required, text, texts, usually, whole } from "../terminal/flags.js";
import { progressOn } from "../terminal/progress.js";
import { cache, plugin, sourceVal, threads } from "../terminal/shared.js";
import { screenOn, showsTrainings } from "../terminal/trainStatus.js";

export const ablate = command({
  name: "ablate",
  about:
    "γ-SSL and ablations of it from one shared pre-training, over several seeds; a second run reuses finished work",
  words: { config: required(text("<config>", "settings of the training as JSON, as gssl train --config takes them")) },
  flags: {
    on: required(texts("<spec...>", "labelled images to measure on")),
    ablations: usually(
      choices("<names>", ({ ablationNames }) => ablationNames, "joined by commas (docs/method.md)"),
      "no-filter,no-regl,sym-non-param",
    ),
    seeds: usually(whole("<n>", [1, 100], "trainings of each, with consecutive seeds"), "3"),
    methods: usually(
      text("<names>", "baselines on the pre-trained network: all, or names joined by commas"),
      "max-softmax,no-ssl",
    ),
    sourceVal,
    weights: text("<file>", "weights to start from (.safetensors or .pth)"),
    to: usually(text("<folder>", "folder of the study"), "runs/ablate"),
    threads,
    cache,
    plugin,
  },
  async run({ config, weights, ...options }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const settings = { ...(await library.readSettings(config)), ...(weights !== undefined && { weights }) };
    const { markdown } = await library.ablate(settings, {
      ...options,
      signal,
      command: commandLine(),
      onProgress: progressOn(screen),
      onNote: screen.line,
      onTraining: showsTrainings(screen),
    });
    screen.passing("");
    print(`\n${markdown}`);
    print(`next: ${commandLine(["report", options.to])}/*-seed*`);
  },
});
