import type { Dataset } from "../../data/datasets/dataset.js";
import { nameOf } from "../../data/datasets/spec.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { Deployable } from "../../inference/deployable.js";
import { fitPlaces, type ImageMeans } from "../../inference/fitPlaces.js";
import { imageMeansOver } from "../../inference/imageMeansOver.js";
import type { PlacesSeen } from "../../methods/parts/imageDistance.js";
import type { ComparedPlace } from "../model/modelInfo.js";
import type { ChosenGamma } from "./chosenGamma.js";

interface Comparing {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  readonly source: Dataset;
  /** Null where its images are not at hand. */
  readonly target: Dataset | null;
  readonly gamma: Pick<ChosenGamma, "place">;
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

/** What a model compares images with: those of the source, of the target where they are at hand, and of the place γ was solved for. */
export async function comparePlaces({
  runtime,
  deployable,
  source,
  target,
  gamma: { place },
  onProgress,
}: Comparing): Promise<{ readonly places: PlacesSeen; readonly distanceFrom: ComparedPlace[] }> {
  const telling = (done: number, total: number): void => onProgress?.("looking at", done, total);
  const seen: { readonly on: string; readonly images: readonly ImageMeans[] }[] = [];
  for (const dataset of target === null ? [source] : [source, target]) {
    const images = await imageMeansOver(runtime, deployable, dataset, telling);
    seen.push({ on: nameOf(dataset.spec), images });
  }
  if (place !== null) seen.push(place);
  return {
    places: fitPlaces(seen.map(({ images }) => images)),
    distanceFrom: seen.map(({ on, images }) => ({ on, images: images.length })),
  };
}
