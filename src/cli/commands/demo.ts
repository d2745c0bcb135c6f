import { existsSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { print } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { text, toggle, usually, whole } from "../terminal/flags.js";
import { printNext } from "../terminal/next.js";
import { progressOn } from "../terminal/progress.js";
import { cache, seed } from "../terminal/shared.js";
import { showTraining } from "../terminal/showTraining.js";
import { duration, screenOn } from "../terminal/trainStatus.js";

/** Images in the report, of each method. */
const EXAMPLES = 8;

/** Everything a user would do with images of their own, on drawn ones. */
export const demo = command({
  name: "demo",
  about: "the whole way on drawn streets: γ-SSL from a pre-trained network, baselines, a report and a model",
  words: {},
  flags: {
    to: usually(text("<folder>", "run folder"), "runs/demo"),
    fromScratch: toggle("pre-train a network first, for minutes, instead of using the one in the package"),
    seed: usually(seed("seed of the training"), "0"),
    threads: usually(whole("<n>", [1, 256], "threads to compute with; results do not depend on it"), "2"),
    cache,
  },
  async run({ to, fromScratch, seed, threads, cache }, { library, signal }) {
    const started = performance.now();
    const screen = screenOn(process.stderr);
    const shared = { threads, cache, signal, command: commandLine() };
    const watching = { ...shared, onProgress: progressOn(screen), onNote: screen.line };
    const [weights, model, page] = ["weights.safetensors", "model.onnx", "report.html"].map((name) =>
      join(to, name),
    ) as [string, string, string];
    const trainedBefore = existsSync(weights);

    title("1. Adapt a network of the labelled city by day to dusk, from images without labels");
    if (trainedBefore) print(`trained before: ${weights}`);
    const pace = { workers: 1, checkpointEvery: 200, validateEvery: 1_000_000 };
    await showTraining(library, library.demoConfig(seed, { fromScratch }), { to, ...pace, ...shared });

    title("2. Measure it on labelled images at dusk, beside baselines");
    const methods = library.demoMethods.join(",");
    const results = await library.evaluate([to], { on: [library.demoTest], methods, examples: EXAMPLES, ...watching });
    screen.passing("");
    print(library.resultText(results, { bold: pc.bold, strike: pc.strikethrough, faint: pc.dim }));

    title("3. One ONNX file that takes 8-bit images and returns class, similarity and certain");
    if (trainedBefore && existsSync(model)) print(`exported before: ${model}`);
    else for (const line of library.describeExport(await library.exportModel(to, watching))) print(line);

    title("4. A report to look at");
    if (trainedBefore && existsSync(page)) print(`written before: ${page}`);
    else print((await library.report([to])).file);
    const took = duration((performance.now() - started) / 1000);
    print(`\nMove the report's threshold to see which pixels the network does not trust. (${took})`);
    printNext("predict", model, "<your images>", "--to", join(to, "predictions"));
  },
});

const title = (line: string): void => print(`\n${pc.bold(line)}`);
