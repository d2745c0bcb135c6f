import pc from "picocolors";
import { print, printJson } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { choice, type Library, numbers, required, text, texts, toggle, usually, whole } from "../terminal/flags.js";
import { methodHelp } from "../terminal/methodHelp.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, device, gmmPrior, json, plugin, sourceVal, threads } from "../terminal/shared.js";
import { printBesidePaper } from "../terminal/study.js";
import { screenOn, showsTrainings } from "../terminal/trainStatus.js";

const averages = { prob: "probabilities", logit: "logits" } as const;

export const evaluate = command({
  name: "evaluate",
  about: "measure trained runs on labelled images: where are they wrong, and do they know?",
  words: { runs: required(texts("<runs...>", "run folders of gssl train; baselines are those of the first")) },
  flags: {
    on: required(texts("<spec...>", "labelled data sets to measure on")),
    methods: text("<names>", "all, or methods joined by commas, see below; the quick ones when left out"),
    select: choice(
      "<how>",
      ({ selections }) => selections,
      "choose settings of methods by: source-val, best-on-test or fixed (default: source-val)",
    ),
    sourceVal,
    mcdRates: numbers(
      "<shares>",
      "shares of channels that MC dropout drops, joined by commas (default: 0.2)",
      "between 0 and 1",
      (rate) => rate > 0 && rate < 1,
    ),
    mcdPasses: numbers(
      "<counts>",
      "draws of MC dropout, joined by commas (default: 8)",
      "that are whole, from 2 to 64",
      (count) => Number.isInteger(count) && count >= 2 && count <= 64,
    ),
    mcAverage: choice("<what>", ["prob", "logit"], "average prob or logit over draws and members (default: prob)"),
    gmmPrior: choice(
      "<how>",
      gmmPrior,
      "classes of a Gaussian mixture count by their shares, or even (default: shares)",
    ),
    ensembleMemory: choice("<how>", ["low", "high"], "low: one member in memory at a time; or high (default: low)"),
    policy: choice(
      "<name>",
      ({ policyNames }) => policyNames,
      "paper, official or known: what happens to unknown and void pixels (default: paper)",
    ),
    perClass: toggle("also print the IoU of each class"),
    examples: usually(whole("<n>", [0, 1000], "images to keep for the report"), "24"),
    probabilitiesTo: text(
      "<folder>",
      "γ-SSL: also write K + 1 class probabilities of each image (Eq. 4) there, as .npy",
    ),
    allowSeen: toggle("measure even on images that the run was trained on"),
    dryRun: toggle("check everything, print what would be measured and trained, and stop"),
    overwrite: toggle("measure and fit again what an earlier call has finished"),
    device,
    threads,
    cache,
    plugin,
    json,
  },
  help: ({ methods }) => methodHelp(methods),
  async run({ runs, json, perClass, probabilitiesTo, ...given }, { library, signal }) {
    const screen = screenOn(process.stderr);
    const { mcdRates, mcdPasses, mcAverage, gmmPrior: prior, ensembleMemory, ...options } = given;
    const baselines = {
      ...(mcdRates && { rates: mcdRates }),
      ...(mcdPasses && { passes: mcdPasses }),
      ...(mcAverage && { average: averages[mcAverage] }),
      ...(prior && { prior }),
      ...(ensembleMemory && { memory: ensembleMemory }),
    };
    if (given.dryRun) {
      const plan = await library.planEvaluation(runs, { ...options, baselines, onNote: screen.line, signal });
      screen.passing("");
      if (json) printJson(plan, 1);
      else for (const line of planned(plan)) print(line);
      return;
    }
    const watching = { onProgress: progressOn(screen), onNote: screen.line, signal };
    const results = await library.evaluate(runs, {
      ...options,
      ...watching,
      baselines,
      command: commandLine(),
      onTraining: showsTrainings(screen),
    });
    if (probabilitiesTo !== undefined) {
      const { on, device, threads, cache } = options;
      await library.writeProbabilities(runs, { on, to: probabilitiesTo, device, threads, cache, ...watching });
    }
    screen.passing("");
    if (json)
      printJson(
        results.map(({ result }) => result),
        1,
      );
    else {
      const inks = { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim };
      print(library.resultText(results, inks));
      if (perClass) print(library.perClassText(results, inks));
      await printBesidePaper(runs, library);
      printNext("report", ...runs);
    }
  },
});

type Plan = Awaited<ReturnType<Library["planEvaluation"]>>;

function* planned({ datasets, runs, networks }: Plan): Generator<string> {
  for (const { spec, images } of datasets) yield `${spec}: ${images} images`;
  for (const { run, methods } of runs) yield `${run}: ${methods.join(", ")}`;
  for (const { name, steps } of networks) yield `to train first: ${name} (${steps} steps)`;
  yield "nothing was trained or written";
}
