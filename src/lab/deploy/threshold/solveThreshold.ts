import type { Dataset } from "../../../data/datasets/dataset.js";
import { nameOf } from "../../../data/datasets/spec.js";
import type { Runtime } from "../../../engine/runtime/runtime.js";
import { UserError } from "../../../errors.js";
import { fingerprintOf } from "../../evaluate/trained/fingerprint.js";
import { trainedGamma } from "../../evaluate/trained/trainedGamma.js";
import { atThreshold } from "../../metrics/atThreshold.js";
import { matchedInterval, matchedThreshold, thresholdForPixels } from "../../metrics/matchedThreshold.js";
import { pixelsOf } from "../../metrics/sketch.js";
import { SketchBuilder } from "../../metrics/sketchSet.js";
import { RIGHT } from "../../metrics/verdict.js";
import { type Deployable, deploymentGraph, modelBytes } from "../export/deployment.js";
import { spread } from "../export/expected.js";
import { draftInfo } from "../export/exportRun.js";
import { readUnlabelled } from "../export/readUnlabelled.js";
import type { ThresholdFile } from "../export/thresholdFile.js";
import { DeployedModel } from "../model/deployedModel.js";
import { againstLabels } from "./againstLabels.js";
import { viewSketches } from "./viewSketches.js";

/** How γ is chosen: as many certain as consistent, or a share of the pixels of whole frames. */
export type ThresholdRule =
  | { readonly kind: "consistency"; readonly views: number; readonly seed: number }
  | { readonly kind: "share"; readonly share: number };

export interface ThresholdRequest {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  readonly source: Dataset;
  /** Fresh frames; their labels are not opened. */
  readonly frames: Dataset;
  readonly rule: ThresholdRule;
  /** The same frames with labels, to hold γ against once it is solved; null where nobody asked. */
  readonly labelled: Dataset | null;
  readonly command: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

type Solved = Pick<ThresholdFile, "gamma" | "interval" | "rule">;

/** γ from unlabelled frames, and what it means there. */
export async function solveThreshold(request: ThresholdRequest): Promise<ThresholdFile> {
  const { deployable, frames, labelled, command, onProgress } = request;
  const { options } = deployable.config;
  const looker = await Looker.open(request);
  try {
    const solved =
      request.rule.kind === "share" ? await byShare(request, request.rule.share, looker) : await byViews(request);
    const trained = await trainedGamma(deployable.run);
    const shares: number[] = [];
    let atTraining = 0;
    for await (const similarity of looker.similarities("counting certain pixels")) {
      shares.push(shareAtLeast(similarity, solved.gamma));
      if (trained !== null) atTraining += shareAtLeast(similarity, trained.gamma) / frames.items.length;
    }
    const telling = (done: number, total: number): void => onProgress?.("comparing with labels", done, total);
    return {
      version: 1,
      dataset: nameOf(frames.spec),
      frames: frames.items.length,
      ...solved,
      expectedCertain: { ...spread(shares), frames: shares.length, on: nameOf(frames.spec) },
      training: trained === null ? null : { gamma: trained.gamma, certain: Math.min(1, atTraining) },
      labelled: labelled === null ? null : await againstLabels(looker.model, labelled, solved.gamma, telling),
      score: options.score,
      weights: fingerprintOf(deployable.run.weights),
      command,
    };
  } finally {
    await looker.model.close();
  }
}

/** Alg. 1 over all frames at once. */
async function byViews({ runtime, deployable, frames, rule, onProgress }: ThresholdRequest): Promise<Solved> {
  if (rule.kind !== "consistency") throw new Error("internal: views are for consistency");
  const { views, seed } = rule;
  const telling = (done: number, total: number): void => onProgress?.("comparing views", done, total);
  const set = await viewSketches(runtime, deployable, frames, { views, seed, onProgress: telling });
  const threshold = matchedThreshold(set.total);
  if (threshold === null) {
    throw new UserError(`no two views of ${frames.spec} lie on each other`, { hint: "are its pictures very small?" });
  }
  const interval = matchedInterval(set, { seed });
  return {
    gamma: -threshold,
    interval: interval === null ? null : { low: -interval.high, high: -interval.low },
    rule: {
      kind: "consistency",
      views,
      seed,
      consistent: set.total.rights / pixelsOf(set.total),
      certain: atThreshold(set.total, threshold)!.certain.value,
    },
  };
}

/** γ that leaves a share of the pixels of whole frames certain. */
async function byShare({ frames }: ThresholdRequest, share: number, looker: Looker): Promise<Solved> {
  const builder = new SketchBuilder();
  let index = 0;
  for await (const similarity of looker.similarities("looking at frames")) {
    const every = new Uint8Array(similarity.length).fill(RIGHT);
    builder.add(
      frames.items[index++]!.id,
      similarity.map((s) => -s),
      every,
    );
  }
  const { total } = builder.finish();
  return {
    gamma: -thresholdForPixels(total, share * pixelsOf(total))!,
    interval: null,
    rule: { kind: "share", share },
  };
}

/** The share of pixels that γ calls certain, compared as a deployed model compares them. */
function shareAtLeast(similarity: Float32Array, gamma: number): number {
  const least = Math.fround(gamma);
  return similarity.reduce((count, s) => count + Number(s >= least), 0) / similarity.length;
}

/** Whole frames as a deployed model sees them. Its γ does not matter here. */
class Looker {
  readonly model: DeployedModel;
  readonly #request: ThresholdRequest;

  private constructor(model: DeployedModel, request: ThresholdRequest) {
    this.model = model;
    this.#request = request;
  }

  static async open(request: ThresholdRequest): Promise<Looker> {
    const { runtime, deployable, source } = request;
    const certain = { mean: 0, deviation: 0, lowest: 0, frames: 1, on: "nothing yet" };
    const info = draftInfo(deployable, source, { gamma: 0, from: "nowhere yet", certain });
    const graph = await deploymentGraph(runtime, deployable, 0);
    return new Looker(await DeployedModel.open(runtime, modelBytes(graph, info), "the model"), request);
  }

  async *similarities(what: string): AsyncGenerator<Float32Array> {
    const { frames, onProgress } = this.#request;
    for (const [index, item] of frames.items.entries()) {
      yield (await this.model.look(await readUnlabelled(frames, item, this.model.info.height))).similarity;
      onProgress?.(what, index + 1, frames.items.length);
    }
  }
}
