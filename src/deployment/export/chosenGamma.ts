import type { ImageMeans } from "../../inference/fitPlaces.js";
import { UserError } from "../../platform/errors.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import { gammaOfRun } from "../../runs/gammaOfRun.js";
import type { TrainedRun } from "../../runs/openRun.js";
import type { ExpectedCertain } from "../model/modelInfo.js";
import { spread } from "./expected.js";
import { readThreshold } from "./thresholdFile.js";

/** The threshold that goes into a model. */
export interface ChosenGamma {
  readonly gamma: number;
  /** "training", or the data set it was solved on. */
  readonly from: string;
  /** The share of pixels that was certain where it was solved. */
  readonly certain: ExpectedCertain;
  /** Where it was solved after training: images there as `distance` compares them. */
  readonly place: { readonly on: string; readonly images: readonly ImageMeans[] } | null;
}

interface OfRun {
  readonly run: TrainedRun;
}

/** γ as the training left it. */
export async function gammaOfTraining({ run }: OfRun): Promise<ChosenGamma> {
  const trained = await gammaOfRun(run);
  if (trained === null) {
    throw new UserError(`no step of ${run.folder} solved for γ`, {
      hint: "its training had no second stage; solve for it with gssl threshold, and export with --gamma FILE",
    });
  }
  const { gamma, certain, seenOn } = trained;
  const { mean, deviation, lowest } = spread(certain);
  // Shares of single images stray further than those of several together.
  const single = { mean, deviation: deviation * Math.sqrt(seenOn.images), lowest };
  const images = certain.length * seenOn.images;
  return { gamma, from: "training", certain: { ...single, images, on: seenOn.name }, place: null };
}

/** γ that was solved on images of some place, for these weights. */
export async function gammaOfFile(file: string, { run }: OfRun): Promise<ChosenGamma> {
  const { gamma, dataset, expectedCertain, imageMeans, weights, score } = await readThreshold(file);
  if (weights !== fingerprintOf(run.weights) || score !== scoreOf(run)) {
    throw new UserError(`${file} was solved for other weights than those of ${run.folder}`, {
      hint: "solve for it again with gssl threshold; --checkpoint must be the same for both",
    });
  }
  const images = imageMeans.map((line) => Float32Array.from(line.split(" "), Number));
  return { gamma, from: dataset, certain: expectedCertain, place: { on: dataset, images } };
}

const scoreOf = ({ config }: TrainedRun): string | null =>
  config.method === "gamma-ssl" ? config.options.score : null;
