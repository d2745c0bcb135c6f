import { UserError } from "../platform/errors.js";
import { NOT_SCORED, RIGHT } from "./verdict.js";

/**
 * Confidence against accuracy, in equal bins over [0, 1]; sums only, so histograms of parts add up.
 * A confidence of exactly k/bins belongs to the bin above it, 1 to the last.
 */
export class ConfidenceHistogram {
  readonly pixels: Float64Array;
  readonly rights: Float64Array;
  readonly confidence: Float64Array;
  /** Squared distance of confidence from 1 where a pixel is right, from 0 where it is wrong. */
  #squares = 0;

  constructor(readonly bins = 15) {
    this.pixels = new Float64Array(bins);
    this.rights = new Float64Array(bins);
    this.confidence = new Float64Array(bins);
  }

  /** Confidence: probability of the predicted class. Verdict from `judge`. */
  add(image: string, confidence: Float32Array, verdict: Uint8Array): void {
    requireSameLength(image, confidence.length, verdict.length);
    for (let i = 0; i < verdict.length; i++) {
      if (verdict[i]! >= NOT_SCORED) continue;
      const p = confidence[i]!;
      if (!(p >= 0 && p <= 1 + 1e-5)) throw new UserError(`${image}: confidence ${p} at pixel ${i} is not in [0, 1]`);
      const bin = Math.min(this.bins - 1, Math.floor(p * this.bins));
      this.pixels[bin]!++;
      this.confidence[bin]! += p;
      const right = verdict[i] === RIGHT ? 1 : 0;
      this.rights[bin]! += right;
      this.#squares += (p - right) ** 2;
    }
  }

  merge(other: ConfidenceHistogram): void {
    if (other.bins !== this.bins)
      throw new UserError(`confidence in ${this.bins} and ${other.bins} bins does not add up`);
    for (const column of ["pixels", "rights", "confidence"] as const) {
      for (let bin = 0; bin < this.bins; bin++) this[column][bin]! += other[column][bin]!;
    }
    this.#squares += other.#squares;
  }

  /** Expected calibration error: |accuracy - mean confidence| per bin, weighted by pixels. Null without pixels. */
  ece(): number | null {
    return this.#perPixel(
      this.pixels.reduce((so, _, bin) => so + Math.abs(this.rights[bin]! - this.confidence[bin]!), 0),
    );
  }

  /**
   * Brier score of "the prediction is right": mean squared distance between confidence and 1 or 0. Unlike the one over all classes,
   * it also counts pixels of no known class. Null without pixels.
   */
  brier(): number | null {
    return this.#perPixel(this.#squares);
  }

  #perPixel(sum: number): number | null {
    const pixels = this.pixels.reduce((so, n) => so + n, 0);
    return pixels === 0 ? null : sum / pixels;
  }
}

function requireSameLength(image: string, found: number, pixels: number): void {
  if (found !== pixels) throw new UserError(`${image}: ${found} values for ${pixels} pixels`);
}
