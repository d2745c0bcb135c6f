import { float32 } from "../engine/tensor/hostTensor.js";
import { times, whiteningOf } from "../methods/baselines/whitening.js";
import type { PlacesSeen } from "../methods/parts/imageDistance.js";
import { quantile } from "../metrics/bootstrap.js";
import { UserError } from "../platform/errors.js";

/** An image as `imageMeans` has it. */
export type ImageMeans = Float32Array;

/** Share of the training images, each left out of the fit, that lies within the limit. */
const WITHIN_LIMIT = 0.99;

/**
 * Images that follow each other are often of one drive: what leaves out a single one never learns how far the next drive is. With four
 * blocks drawn streets passed for photographs; with twenty a drive of the same town was flagged.
 */
const BLOCKS = 10;

/** Share of the mean variance that is added to each: a few hundred images say little of the directions in which they hardly differ. */
const SHRINKAGE = 0.1;

/** Channels that hardly move count as if they moved this share of what is usual, in variance. */
const LEAST_VARIANCE = 0.01;

/**
 * What images are to be compared with: a mean for each place, and how images stray from the mean of theirs. The images of a place are in
 * the order of their data set. The limit, which becomes 1, is set on images that the fit was made without.
 */
export function fitPlaces(places: readonly (readonly ImageMeans[])[]): PlacesSeen {
  const count = places.reduce((sum, images) => sum + images.length, 0);
  if (count < 2) throw new UserError("the source has one image: wanted at least 2, to learn how images differ");
  const leftOut = Array.from({ length: BLOCKS }, (_, block) => distancesOf(places, block)).flat();
  // Images that are all alike are at no distance at all.
  const limit = Math.max(1, quantile(Float64Array.from(leftOut).sort(), WITHIN_LIMIT));
  const { means, map } = learned(places);
  const channels = means[0]!.length;
  return {
    means: float32(
      [means.length, channels],
      means.flatMap((mean) => [...mean]),
    ),
    map: float32(
      [channels, channels],
      Float32Array.from(transposed(map, channels), (value) => value / limit),
    ),
  };
}

/** Distances of the images in one block of every place, to the other images. */
function distancesOf(places: readonly (readonly ImageMeans[])[], block: number): number[] {
  const inBlock = (images: readonly ImageMeans[], i: number): boolean =>
    Math.floor((i * BLOCKS) / images.length) === block;
  const out = places.flatMap((images) => images.filter((_, i) => inBlock(images, i)));
  if (out.length === 0) return [];
  const rest = places.map((images) => images.filter((_, i) => !inBlock(images, i)));
  const { means, map } = learned(rest.filter((images) => images.length > 0));
  return out.map((image) =>
    Math.min(
      ...means.map((mean) =>
        Math.hypot(
          ...times(
            map,
            Float64Array.from(image, (x, c) => x - mean[c]!),
          ),
        ),
      ),
    ),
  );
}

interface Learned {
  readonly means: readonly Float64Array[];
  /** A [C, C]: the length of A (x - mean) is how many deviations x is away, the mean over channels. */
  readonly map: Float64Array;
}

function learned(places: readonly (readonly ImageMeans[])[]): Learned {
  const channels = places[0]![0]!.length;
  const means = places.map(meanImage);
  const covariance = new Float64Array(channels * channels);
  const count = places.reduce((sum, images) => sum + images.length, 0);
  for (const [p, images] of places.entries()) {
    for (const image of images) {
      const apart = Float64Array.from(image, (x, c) => x - means[p]![c]!);
      for (let a = 0; a < channels; a++)
        for (let b = 0; b < channels; b++) covariance[a * channels + b]! += (apart[a]! * apart[b]!) / count;
    }
  }
  const variances = Float64Array.from({ length: channels }, (_, c) => covariance[c * (channels + 1)]!);
  const least = LEAST_VARIANCE * quantile(variances.toSorted(), 0.5) + Number.EPSILON;
  const deviations = variances.map((variance) => Math.sqrt(Math.max(variance, least)));
  const correlation = covariance.map(
    (value, i) => value / (deviations[Math.floor(i / channels)]! * deviations[i % channels]!),
  );
  const { matrix } = whiteningOf(correlation, channels, { shrinkage: SHRINKAGE });
  return { means, map: matrix.map((value, i) => value / (deviations[i % channels]! * Math.sqrt(channels))) };
}

function meanImage(images: readonly ImageMeans[]): Float64Array {
  const mean = new Float64Array(images[0]!.length);
  for (const image of images) for (let c = 0; c < mean.length; c++) mean[c]! += image[c]! / images.length;
  return mean;
}

const transposed = (matrix: Float64Array, size: number): Float64Array =>
  matrix.map((_, i) => matrix[(i % size) * size + Math.floor(i / size)]!);
