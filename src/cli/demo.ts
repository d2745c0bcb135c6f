import { existsSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { demoConfig, demoMethods, demoTest } from "../experiments/demo.js";
import { print } from "../platform/print.js";
import { runFiles } from "../runs/runFiles.js";
import { evaluate } from "./evaluate.js";
import { exportCommand } from "./export.js";
import { report } from "./report.js";
import { trainAs } from "./train.js";
import { duration } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface DemoOptions {
  readonly to: string;
  readonly seed: string;
  readonly threads: string;
  readonly fromScratch?: boolean;
  readonly cache?: string;
}

/** Images in the report, of each method. */
const EXAMPLES = "8";

/** Everything a user would do with images of their own, on drawn ones. A second run reuses finished work. */
export async function demo({ to, seed, threads, cache, fromScratch = false }: DemoOptions): Promise<void> {
  const started = performance.now();
  const config = demoConfig(wholeNumber("seed", seed, [0, 2 ** 31 - 1]), { fromScratch });
  const shared = { threads, ...(cache !== undefined && { cache }) };
  const [weights, model, page] = [runFiles.weights, "model.onnx", "report.html"].map((name) => join(to, name)) as [
    string,
    string,
    string,
  ];
  const trainedBefore = existsSync(weights);

  title("1. Adapt a network of the labelled city to a town, from images without labels");
  if (trainedBefore) print(`trained before: ${weights}`);
  const pace = { workers: "1", checkpointEvery: "200", validateEvery: "1000000" };
  if ((await trainAs(config, { to, ...pace, ...shared })) === "stopped") return;

  title("2. Measure it on labelled images of the town, beside baselines");
  const measuring = { on: [demoTest], methods: demoMethods.join(","), policy: "paper", examples: EXAMPLES };
  await evaluate([to], { ...measuring, ...shared });

  title("3. One ONNX file that takes 8-bit images and returns class, similarity and certain");
  if (trainedBefore && existsSync(model)) print(`exported before: ${model}`);
  else await exportCommand(to, { method: "gamma-ssl", weights: "last", threshold: "training", ...shared });

  title("4. A report to look at");
  if (trainedBefore && existsSync(page)) print(`written before: ${page}`);
  else await report([to], {});
  print(
    `\nMove the report's threshold to see which pixels the network does not trust. (${duration((performance.now() - started) / 1000)})`,
  );
}

const title = (text: string): void => print(`\n${pc.bold(text)}`);
