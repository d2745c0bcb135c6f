import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDataset } from "../../data/datasets/openDataset.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { UserError } from "../../errors.js";
import { evaluateRun, methodsOf } from "../../lab/evaluate/evaluateRun.js";
import { openRun } from "../../lab/evaluate/openRun.js";
import type { ResultFile } from "../../lab/evaluate/resultFile.js";
import { policies } from "../../lab/metrics/verdict.js";
import { openSound } from "../../lab/train/soundData.js";
import { cacheFolder } from "./cacheFolder.js";
import { commandLine } from "./commandLine.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface EvaluateOptions {
  readonly on: readonly string[];
  readonly methods?: string;
  readonly policy: string;
  readonly examples: string;
  readonly threads?: string;
  readonly cache?: string;
  readonly json?: true;
}

export async function evaluate(folder: string, options: EvaluateOptions): Promise<void> {
  const screen = screenOn(process.stderr);
  const run = await openRun(folder);
  const policy = (Object.keys(policies) as (keyof typeof policies)[]).find((name) => name === options.policy);
  if (policy === undefined) {
    throw new UserError(`--policy is "${options.policy}"`, { hint: `known: ${Object.keys(policies).join(", ")}` });
  }
  const methods = options.methods?.split(",") ?? methodsOf(run);
  const cache = options.cache ?? cacheFolder();
  const source = await openDataset(run.config.source, { cache: join(cache, "scenes") });
  const results: ResultFile[] = [];
  for (const spec of options.on) {
    const show = (what: string, done: number, total: number): void =>
      screen.passing(`${what} ${spec}: ${done}/${total}`);
    const { dataset } = await openSound(spec, { cache, onProgress: show });
    results.push(
      ...(await evaluateRun({
        runtime: nodeRuntime({
          threads: wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]),
        }),
        run,
        source,
        dataset,
        methods,
        policy,
        examples: wholeNumber("examples", options.examples, [0, 1000]),
        command: commandLine(),
        onProgress: show,
      })),
    );
  }
  screen.passing("");
  if (options.json) console.log(JSON.stringify(results, null, 1));
  else for (const line of table(results)) console.log(line);
}

function table(results: readonly ResultFile[]): string[] {
  const number = (value: number | null | undefined): string => value?.toFixed(3) ?? "-";
  const rows = results.map((result) => [
    result.method,
    number(result.accuracy),
    number(result.auroc),
    number(result.aupr),
    number(result.maxAmd?.value),
    number(result.maxF05?.value),
    number(result.atGamma?.amd),
    result.dataset,
  ]);
  const head = ["method", "accuracy", "AUROC", "AUPR", "MaxA_MD", "MaxF0.5", "A_MD at γ", "data set"];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}
