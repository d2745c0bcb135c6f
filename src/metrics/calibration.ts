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
      if (verdict[i] === RIGHT) this.rights[bin]!++;
    }
  }

  merge(other: ConfidenceHistogram): void {
    if (other.bins !== this.bins)
      throw new UserError(`confidence in ${this.bins} and ${other.bins} bins does not add up`);
    for (const column of ["pixels", "rights", "confidence"] as const) {
      for (let bin = 0; bin < this.bins; bin++) this[column][bin]! += other[column][bin]!;
    }
  }

  /** Expected calibration error: |accuracy - mean confidence| per bin, weighted by pixels. Null without pixels. */
  ece(): number | null {
    const pixels = this.pixels.reduce((so, n) => so + n, 0);
    if (pixels === 0) return null;
    return this.pixels.reduce((so, _, bin) => so + Math.abs(this.rights[bin]! - this.confidence[bin]!), 0) / pixels;
  }
}

/** Brier score: squared distance between the predicted probabilities and the truth, averaged over pixels. Add sums to merge. */
export class BrierScore {
  sum = 0;
  pixels = 0;

  /** Probability float32 [K, pixels], class by class; labels outside 0 … K-1 are left out. */
  add(image: string, probability: Float32Array, labels: Uint8Array): void {
    const n = labels.length;
    const classes = n === 0 ? 0 : probability.length / n;
    if (!Number.isInteger(classes)) requireSameLength(image, probability.length, n);
    for (let i = 0; i < n; i++) {
      const label = labels[i]!;
      if (label >= classes) continue;
      let distance = 0;
      for (let k = 0; k < classes; k++) distance += (probability[k * n + i]! - (k === label ? 1 : 0)) ** 2;
      if (Number.isNaN(distance)) throw new UserError(`${image}: probability at pixel ${i} is not a number`);
      this.sum += distance;
      this.pixels++;
    }
  }

  merge(other: BrierScore): void {
    this.sum += other.sum;
    this.pixels += other.pixels;
  }

  value(): number | null {
    return this.pixels === 0 ? null : this.sum / this.pixels;
  }
}

function requireSameLength(image: string, found: number, pixels: number): void {
  if (found !== pixels) throw new UserError(`${image}: ${found} values for ${pixels} pixels`);
}
