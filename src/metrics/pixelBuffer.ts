import { UserError } from "../platform/errors.js";
import { NOT_FINITE } from "./floatKey.js";
import { NOT_SCORED } from "./verdict.js";

/** Inner loops run over this many pixels at a time, in small functions that the compiler can keep once it has optimised them. */
export const CHUNK = 8192;

/** Images are gathered until they have this many pixels, then sketched together for the total. */
export const BATCH = 2 ** 21;

/** The scored pixels of an image: a range of the buffer, and the extreme places in it. */
export interface PixelRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

/** Scored pixels waiting to be counted, image after image. */
export class PixelBuffer {
  /** Place of each pixel among the float32 numbers. */
  places = new Uint32Array(0);
  /** RIGHT or WRONG. */
  verdicts = new Uint8Array(0);
  length = 0;
  /** The smallest and the largest place among them. */
  first = 0xffffffff;
  last = 0;

  clear(): void {
    this.length = 0;
    this.first = 0xffffffff;
    this.last = 0;
  }

  /** Uncertainty float32 and verdict (see verdict.ts), one entry a pixel. Pixels that are not scored may hold anything. */
  append(image: string, uncertainty: Float32Array, verdict: Uint8Array): PixelRange {
    const n = uncertainty.length;
    if (n !== verdict.length) {
      throw new UserError(`${image}: ${n} uncertainties, but ${verdict.length} labelled pixels`, {
        hint: "give the uncertainty at the size of the labels; nothing is resized here",
      });
    }
    this.#reserve(this.length + n);
    const patterns = new Int32Array(uncertainty.buffer, uncertainty.byteOffset, n);
    const extremes = Int32Array.of(0x7fffffff, MINUS_ZERO);
    const from = this.length;
    let to = from;
    for (let start = 0; start < n; start += CHUNK) {
      const end = Math.min(n, start + CHUNK);
      to = read(patterns, verdict, start, end, this.places, this.verdicts, to, extremes);
      if (to === NONE) {
        const bad = uncertainty.findIndex((value, i) => verdict[i]! < NOT_SCORED && !Number.isFinite(value));
        throw notFinite(image, uncertainty[bad]!, bad);
      }
    }
    const range = { from, to, first: (extremes[0]! ^ MINUS_ZERO) >>> 0, last: (extremes[1]! ^ MINUS_ZERO) >>> 0 };
    this.length = to;
    this.first = Math.min(this.first, range.first);
    this.last = Math.max(this.last, range.last);
    return range;
  }

  #reserve(pixels: number): void {
    if (this.places.length >= pixels) return;
    // A second image is seldom the last: make room for a whole batch.
    const places = new Uint32Array(this.places.length === 0 ? pixels : Math.max(pixels, BATCH));
    const verdicts = new Uint8Array(places.length);
    places.set(this.places.subarray(0, this.length));
    verdicts.set(this.verdicts.subarray(0, this.length));
    this.places = places;
    this.verdicts = verdicts;
  }
}

/** Bits of -0, the smallest signed number. */
const MINUS_ZERO = 0x80000000 | 0;

/** Not a number of pixels: the answer of `read` when one of them is not finite. */
const NONE = -1;

/** Read pixels `start` … `end`, writing the scored ones from `to` on; returns where the next one goes. */
function read(
  patterns: Int32Array,
  verdict: Uint8Array,
  start: number,
  end: number,
  places: Uint32Array,
  verdicts: Uint8Array,
  to: number,
  extremes: Int32Array,
): number {
  let first = extremes[0]!;
  let last = extremes[1]!;
  for (let i = start; i < end; i++) {
    const judged = verdict[i]!;
    if (judged >= NOT_SCORED) continue;
    let pattern = patterns[i]!;
    if ((pattern & 0x7fffffff) >= NOT_FINITE) return NONE;
    if (pattern === MINUS_ZERO) pattern = 0; // -0 equals 0
    const signed = pattern ^ ((pattern >> 31) & 0x7fffffff); // the place, but counted from -2^31: signed numbers compare faster
    places[to] = signed ^ MINUS_ZERO;
    verdicts[to] = judged;
    if (signed < first) first = signed;
    if (signed > last) last = signed;
    to++;
  }
  extremes[0] = first;
  extremes[1] = last;
  return to;
}

function notFinite(image: string, value: number, pixel: number): UserError {
  return new UserError(`${image}: uncertainty ${value} at pixel ${pixel} is not a finite number`, {
    hint: "an overflow or 0/0 in the method? where infinite means surely wrong, clip to 3.4e38 first",
  });
}
