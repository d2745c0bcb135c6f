/** What choosing looks at. */
export interface Candidate {
  /** Share of pixels that are not certain. */
  readonly uncertain: number;
  /** Shares of pixels by class, certain ones first, then those that are not. Sums to 1. */
  readonly shares: Float64Array;
}

/** Images are chosen among so many times as many of the most uncertain. bench/selection compares others; experiments/speed.md has the figures. */
const POOL = 2;

/**
 * Which images to label: uncertain ones that differ.
 *
 * Of the 2 n most uncertain images, the most uncertain comes first; each next one is that whose shares of classes are farthest (sum of
 * absolute differences) from the nearest chosen so far. Frames of a drive resemble their neighbours: without this, a few scenes would be
 * labelled over and over. Gives indices in the order of choosing; ties go to the more uncertain, then to the earlier image.
 */
export function chooseImages(images: readonly Candidate[], count: number, times = POOL): number[] {
  const pool = [...images.keys()]
    .sort((a, b) => images[b]!.uncertain - images[a]!.uncertain || a - b)
    .slice(0, times * count);
  const chosen: number[] = [];
  const distance = new Map(pool.map((index) => [index, Number.POSITIVE_INFINITY]));
  while (chosen.length < count && distance.size > 0) {
    let [best, farthest] = [-1, -1];
    for (const [index, far] of distance) if (far > farthest) [best, farthest] = [index, far];
    chosen.push(best);
    distance.delete(best);
    for (const [index, far] of distance) {
      distance.set(index, Math.min(far, difference(images[index]!.shares, images[best]!.shares)));
    }
  }
  return chosen;
}

function difference(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum;
}
