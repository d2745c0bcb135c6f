import { floatAt } from "./floatKey.js";

/**
 * How many right and wrong pixels have an uncertainty in which interval.
 *
 * An interval holds the float32 numbers whose places (see floatKey.ts) share all but their last `bits` bits: the
 * places `low` … `low + 2^bits - 1`. With `bits` 0 it is one single number, and nothing is lost. Intervals are therefore
 * either apart or one inside the other, and two sketches add up by adding the counts of equal intervals.
 *
 * Sorted by `low`, the wider first: a tree in preorder.
 */
export interface Sketch {
  readonly low: Uint32Array;
  readonly bits: Uint8Array;
  readonly right: Counts;
  readonly wrong: Counts;
  /** Sums of the counts. */
  readonly rights: number;
  readonly wrongs: number;
  /** Places of the smallest and the largest uncertainty seen, exactly; meaningless when there is no pixel. */
  readonly first: number;
  readonly last: number;
}

/** Pixels by interval; half the memory where there are fewer than 2^32 of them. */
export type Counts = Float64Array | Uint32Array;

export const emptySketch: Sketch = {
  low: new Uint32Array(0),
  bits: new Uint8Array(0),
  right: new Float64Array(0),
  wrong: new Float64Array(0),
  rights: 0,
  wrongs: 0,
  first: 0xffffffff,
  last: 0,
};

/** Pixels that were scored. */
export const pixelsOf = (sketch: Sketch): number => sketch.rights + sketch.wrongs;

/** The last place of interval `i`. */
export const highOf = ({ low, bits }: Sketch, i: number): number =>
  bits[i] === 0 ? low[i]! : (low[i]! | (0xffffffff >>> (32 - bits[i]!))) >>> 0;

export const largestUncertainty = (sketch: Sketch): number => floatAt(sketch.last);

/** The sum of two sketches: the sketch of both sets of pixels together. */
export function addSketches(a: Sketch, b: Sketch): Sketch {
  if (a.low.length === 0) return b;
  if (b.low.length === 0) return a;
  const room = a.low.length + b.low.length;
  const low = new Uint32Array(room);
  const bits = new Uint8Array(room);
  const right = new Float64Array(room);
  const wrong = new Float64Array(room);
  const { low: aLow, bits: aBits, right: aRight, wrong: aWrong } = a;
  const { low: bLow, bits: bBits, right: bRight, wrong: bWrong } = b;
  let i = 0;
  let j = 0;
  let n = 0;
  while (i < aLow.length && j < bLow.length) {
    const x = aLow[i]!;
    const y = bLow[j]!;
    const order = x !== y ? (x < y ? -1 : 1) : bBits[j]! - aBits[i]!;
    if (order <= 0) {
      low[n] = x;
      bits[n] = aBits[i]!;
      right[n] = aRight[i]!;
      wrong[n] = aWrong[i]!;
      i++;
    } else {
      low[n] = y;
      bits[n] = bBits[j]!;
    }
    if (order >= 0) {
      right[n]! += bRight[j]!;
      wrong[n]! += bWrong[j]!;
      j++;
    }
    n++;
  }
  for (const [rest, from] of [
    [a, i],
    [b, j],
  ] as const) {
    low.set(rest.low.subarray(from), n);
    bits.set(rest.bits.subarray(from), n);
    right.set(rest.right.subarray(from), n);
    wrong.set(rest.wrong.subarray(from), n);
    n += rest.low.length - from;
  }
  return {
    low: low.slice(0, n),
    bits: bits.slice(0, n),
    right: right.slice(0, n),
    wrong: wrong.slice(0, n),
    rights: a.rights + b.rights,
    wrongs: a.wrongs + b.wrongs,
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
  };
}

/** The same sketch in half the memory, unless it has too many pixels for that. */
export function compact(sketch: Sketch): Sketch {
  if (pixelsOf(sketch) >= 2 ** 32) return sketch;
  return { ...sketch, right: new Uint32Array(sketch.right), wrong: new Uint32Array(sketch.wrong) };
}
