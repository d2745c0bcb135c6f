import { classesOf } from "../../data/datasets/classesOf.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { requireSameClasses } from "../../data/datasets/sameClasses.js";
import { nameOf } from "../../data/datasets/spec.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { Deployable } from "../../inference/deployable.js";
import { DeployedImages } from "../../inference/deployedImages.js";
import { gammaForConsistent } from "../../inference/gammaForConsistent.js";
import { imageMeansOver } from "../../inference/imageMeansOver.js";
import { viewSketches } from "../../inference/viewSketches.js";
import { atThreshold } from "../../metrics/atThreshold.js";
import { matchedInterval, matchedThreshold } from "../../metrics/matchedThreshold.js";
import { pixelsOf } from "../../metrics/sketch.js";
import type { SketchSet } from "../../metrics/sketchSet.js";
import { solvesFinalGamma } from "../../runs/finalGamma.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import { gammaOfRun } from "../../runs/gammaOfRun.js";
import { spread } from "../export/expected.js";
import type { ThresholdFile } from "../export/thresholdFile.js";
import { againstLabels } from "./againstLabels.js";

/** How γ is chosen: as many certain as consistent, or a share of the pixels of whole images. */
export type ThresholdRule =
  | { readonly kind: "consistency"; readonly views: number; readonly seed: number }
  | { readonly kind: "share"; readonly share: number };

export interface ThresholdRequest {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  readonly source: Dataset;
  /** Fresh images; their labels are not opened. */
  readonly images: Dataset;
  readonly rule: ThresholdRule;
  /** The same images with labels, to compare γ with once it is solved; null for none. */
  readonly labelled: Dataset | null;
  /** What else somebody must know of the images. */
  readonly remarks?: readonly string[];
  readonly command: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

type Solved = Pick<ThresholdFile, "gamma" | "interval" | "rule">;

/** γ from unlabelled images, and what it means there. */
export async function solveThreshold(request: ThresholdRequest): Promise<ThresholdFile> {
  const { deployable, images, labelled, remarks = [], command, onProgress } = request;
  const { options, view } = deployable.config;
  if (labelled !== null) requireSameClasses(labelled, classesOf(request.source), request.source.spec);
  const whole = await DeployedImages.open(request);
  try {
    const solved = await (request.rule.kind === "share" ? byShare(whole, request.rule.share) : byViews(request, whole));
    // γ of training belongs to the weights it ended with, not to those of a stage.
    const trained = deployable.run.stage === null ? await gammaOfRun(deployable.run) : null;
    const gammas = [solved.gamma, ...(trained === null ? [] : [trained.gamma])];
    const [shares, atTraining] = await whole.certainShares(gammas);
    const telling = (done: number, total: number): void => onProgress?.("comparing with labels", done, total);
    const looking = (done: number, total: number): void => onProgress?.("looking at", done, total);
    const means = await imageMeansOver(request.runtime, deployable, images, looking);
    return {
      version: 1,
      dataset: nameOf(images.spec),
      images: images.items.length,
      ...solved,
      expectedCertain: { ...spread(shares!), images: shares!.length, on: nameOf(images.spec) },
      imageMeans: means.map((image) => Array.from(image, (value) => Number(value.toPrecision(6))).join(" ")),
      training: trained === null ? null : { gamma: trained.gamma, certain: spread(atTraining!).mean },
      labelled:
        labelled === null
          ? null
          : await againstLabels(whole, { labelled, height: view.height, gamma: solved.gamma, onProgress: telling }),
      remarks: [...remarks, ...(labelled === null ? [] : ["γ was solved on these same images, without their labels"])],
      score: options.score,
      weights: fingerprintOf(deployable.run.weights),
      command,
    };
  } finally {
    await whole.close();
  }
}

/** As many certain as consistent: Alg. 1 over all images at once; of whole images where trainings solve it so. */
async function byViews(request: ThresholdRequest, whole: DeployedImages): Promise<Solved> {
  const { runtime, deployable, images, rule, onProgress } = request;
  if (rule.kind !== "consistency") throw new Error("internal: views are for consistency");
  const { views, seed } = rule;
  const telling = (done: number, total: number): void => onProgress?.("comparing views", done, total);
  const set = await viewSketches(runtime, deployable, images, { views, seed, onProgress: telling });
  const { gamma, interval } = await (solvesFinalGamma(deployable.config)
    ? gammaForConsistent(set, whole)
    : gammaOfViews(set, seed));
  const consistent = set.total.rights / pixelsOf(set.total);
  const certain = atThreshold(set.total, -gamma)!.certain.value;
  return { gamma, interval, rule: { kind: "consistency", views, seed, consistent, certain } };
}

/** γ at which as many pixels of views are certain as are consistent. */
function gammaOfViews(set: SketchSet, seed: number): Pick<Solved, "gamma" | "interval"> {
  const interval = matchedInterval(set, { seed });
  return {
    gamma: -matchedThreshold(set.total)!,
    interval: interval === null ? null : { low: -interval.high, high: -interval.low },
  };
}

/** γ that leaves a share of the pixels of whole images certain. */
async function byShare(whole: DeployedImages, share: number): Promise<Solved> {
  const [gamma] = await whole.gammasFor([share]);
  return { gamma: gamma!, interval: null, rule: { kind: "share", share } };
}
