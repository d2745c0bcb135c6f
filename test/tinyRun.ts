import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tensors } from "../src/engine/tensor/hostTensor.js";
import { GammaNetwork } from "../src/methods/gamma-ssl/network.js";
import { small } from "../src/methods/gamma-ssl/options.js";
import { Scope } from "../src/networks/layers/scope.js";
import { startOf } from "../src/networks/optim/trainStep.js";
import { resolveConfig } from "../src/runs/config.js";
import { runFiles } from "../src/runs/runFiles.js";
import { writeSealedTensors } from "../src/runs/sealedTensors.js";

export interface TinyRun {
  readonly source: string;
  readonly targets: readonly string[];
  readonly classes: number;
  readonly score?: "cosine" | "softmax";
  readonly seed?: number;
  /** Of images; 64 when left out. */
  readonly height?: number;
  /** γ and share of certain pixels of each step in the log. */
  readonly trace?: readonly { readonly gamma: number; readonly certain: number }[];
  /** Another network than the tiny one, with weights that were trained. */
  readonly trained?: {
    readonly network: { readonly width: number; readonly features: number };
    readonly weights: Tensors;
  };
  /** Whether its γ is to be solved when it is over. */
  readonly solvesFinalGamma?: true;
}

/** What a training of a tiny network would leave in a folder, without the training: its first weights, and an invented log. */
export async function writeTinyRun(folder: string, run: TinyRun): Promise<void> {
  const { source, targets, classes, score = "cosine", seed = 1, height = 64 } = run;
  const trace = run.trace ?? [{ gamma: 0.5, certain: 0.4 }];
  const network = { ...small.network, ...(run.trained?.network ?? { width: 0.125, features: 16 }) };
  const config = resolveConfig({
    method: "gamma-ssl",
    source,
    targets,
    seed,
    view: { height, crop: [64, 64] },
    options: {
      network,
      score,
      batch: { source: 2, prototype: 2, target: 2 },
      finalGamma: run.solvesFinalGamma ? "solved" : "mean",
    },
  });
  const scope = new Scope();
  new GammaNetwork(scope, { ...network, classes });
  const drawn = Object.fromEntries(scope.params.map((param) => [param.path, startOf(param)(seed)]));
  const weights = { ...drawn, ...run.trained?.weights };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, runFiles.config), JSON.stringify(config));
  await writeSealedTensors(join(folder, runFiles.weights), weights);
  const lines = trace.map((measures, i) => JSON.stringify({ step: i + 1, ...measures }));
  await writeFile(join(folder, runFiles.log), `${lines.join("\n")}\n`);
}
