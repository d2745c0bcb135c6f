import type { Curve } from "./protocol.js";

/** Neighbouring points, as one. */
interface Bucket {
  first: number;
  last: number;
  count: number;
  sum: number;
  low: number;
  high: number;
}

/** More cannot be told apart in a plot. */
const MOST_BUCKETS = 400;

/**
 * A series of any length in bounded memory. Each bucket holds `size` points in a row; when there are too many buckets, neighbours are
 * joined and the size doubles. Extremes are kept. A series of at most `most` points is kept as it is.
 */
export class ThinnedSeries {
  readonly #most: number;
  #size = 1;
  #buckets: Bucket[] = [];
  /** The last of them. */
  #open: Bucket | undefined;

  constructor(most = MOST_BUCKETS) {
    this.#most = most;
  }

  /** Steps must come in order. */
  add(step: number, value: number): void {
    const open = this.#open;
    if (open !== undefined && open.count < this.#size) {
      open.last = step;
      open.count++;
      open.sum += value;
      if (value < open.low) open.low = value;
      if (value > open.high) open.high = value;
      return;
    }
    if (this.#buckets.length === this.#most) this.#halve();
    this.#open = { first: step, last: step, count: 1, sum: value, low: value, high: value };
    this.#buckets.push(this.#open);
  }

  /** With six digits: a screen shows three. */
  curve(): Curve {
    const column = (value: (bucket: Bucket) => number): number[] =>
      this.#buckets.map((bucket) => Number(value(bucket).toPrecision(6)));
    return {
      steps: this.#buckets.map(({ first, last }) => (first + last) / 2),
      mean: column(({ sum, count }) => sum / count),
      low: column(({ low }) => low),
      high: column(({ high }) => high),
    };
  }

  #halve(): void {
    this.#size *= 2;
    const joined: Bucket[] = [];
    for (const [i, bucket] of this.#buckets.entries()) {
      if (i % 2 === 0) joined.push(bucket);
      else join(joined.at(-1)!, bucket);
    }
    this.#buckets = joined;
  }
}

function join(into: Bucket, next: Bucket): void {
  into.last = next.last;
  into.count += next.count;
  into.sum += next.sum;
  into.low = Math.min(into.low, next.low);
  into.high = Math.max(into.high, next.high);
}
