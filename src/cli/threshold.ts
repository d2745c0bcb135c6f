import { availableParallelism } from "node:os";
import { join } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { openDataset } from "../data/datasets/openDataset.js";
import { requireSameClasses } from "../data/datasets/sameClasses.js";
import { unlabelled } from "../data/datasets/spec.js";
import { solveThreshold, type ThresholdRule } from "../deployment/threshold/solveThreshold.js";
import { thresholdCard, writeThreshold } from "../deployment/threshold/writeThreshold.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { deployable } from "../inference/deployable.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { print, printJson } from "../platform/print.js";
import { openRun } from "../runs/openRun.js";
import { openValidated } from "../training/validatedData.js";
import { commandLine } from "./commandLine.js";
import { screenOn } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

interface ThresholdOptions {
  readonly images: string;
  readonly share?: string;
  readonly views: string;
  readonly seed: string;
  readonly labels?: true;
  readonly weights: string;
  readonly threads?: string;
  readonly cache?: string;
  readonly json?: true;
}

export async function threshold(folder: string, options: ThresholdOptions): Promise<void> {
  const screen = screenOn(process.stderr);
  const rule = ruleOf(options);
  const run = await openRun(folder, options.weights);
  const cache = options.cache ?? cacheFolder();
  const runtime = nodeRuntime({
    threads: wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]),
  });
  const onProgress = (what: string, done: number, total: number): void => screen.passing(`${what}: ${done}/${total}`);
  const open = async (spec: string): Promise<Dataset> => (await openValidated(spec, { cache, onProgress })).dataset;
  const images = await open(unlabelled(options.images));
  const labelled = options.labels ? await open(options.images) : null;
  const source = await openDataset(run.config.source, { cache: join(cache, "scenes") });
  if (labelled !== null) requireSameClasses(labelled, classesOf(source), source.spec);
  const ready = await deployable(runtime, run, source, onProgress);
  const request = { runtime, deployable: ready, source, images, rule, labelled, command: commandLine(), onProgress };
  const solved = await solveThreshold(request);
  screen.passing("");
  const { file, card } = await writeThreshold(folder, solved);
  if (options.json) printJson(solved, 1);
  else {
    print(thresholdCard(solved));
    print("");
    for (const line of [file, card, `into a model: gssl export ${folder} --threshold ${file}`]) print(line);
  }
}

function ruleOf({ share, views, seed }: ThresholdOptions): ThresholdRule {
  if (share === undefined) {
    return {
      kind: "consistency",
      views: wholeNumber("views", views, [1, 1000]),
      seed: wholeNumber("seed", seed, [0, 2 ** 31 - 1]),
    };
  }
  const value = Number(share);
  if (share.trim() === "" || !(value > 0 && value <= 1)) {
    throw new UserError(`--share is "${share}", wanted a number above 0, at most 1`);
  }
  return { kind: "share", share: value };
}
