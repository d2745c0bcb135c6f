import { UserError } from "../../errors.js";
import { NOT_FINITE } from "./floatKey.js";
import { NOT_SCORED } from "./verdict.js";

/** Bits of a place that the first look at a pixel reads: sign, exponent and seven bits of the fraction. */
export const FIRST_BITS = 16;

/**
 * Inner loops run over this many pixels at a time. The compiler only keeps a function fast that returns now and then: one
 * long call a time leaves the optimised loop through an exit it has never seen, and starts slowly again (measured: 5 times).
 */
export const CHUNK = 8192;

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
  /** Twice the first bits of the place, plus the verdict: where the first round counts the pixel. */
  cells = new Uint32Array(0);
  length = 0;

  /** Uncertainty float32 and verdict (see verdict.ts), one entry a pixel. Pixels that are not scored may hold anything. */
  append(image: string, uncertainty: Float32Array, verdict: Uint8Array): PixelRange {
    const n = uncertainty.length;
    if (n !== verdict.length) {
      throw new UserError(`${image}: ${n} uncertainties, but ${verdict.length} labelled pixels`, {
        hint: "give the uncertainty at the size of the labels; nothing is resized here",
      });
    }
    this.#reserve(this.length + n);
    const patterns = new Uint32Array(uncertainty.buffer, uncertainty.byteOffset, n);
    const extremes = Uint32Array.of(0xffffffff, 0);
    const from = this.length;
    let to = from;
    for (let start = 0; start < n; start += CHUNK) {
      const end = Math.min(n, start + CHUNK);
      to = read(patterns, verdict, start, end, this.places, this.cells, to, extremes);
      if (to === NONE) {
        const bad = uncertainty.findIndex((value, i) => verdict[i]! < NOT_SCORED && !Number.isFinite(value));
        throw notFinite(image, uncertainty[bad]!, bad);
      }
    }
    this.length = to;
    return { from, to, first: extremes[0]!, last: extremes[1]! };
  }

  #reserve(pixels: number): void {
    if (this.places.length >= pixels) return;
    const room = Math.max(pixels, Math.min(2 * this.places.length, this.places.length + 2 ** 20));
    for (const column of ["places", "cells"] as const) {
      const grown = new Uint32Array(room);
      grown.set(this[column].subarray(0, this.length));
      this[column] = grown;
    }
  }
}

/** Not a number of pixels: the answer of `read` when one of them is not finite. */
const NONE = -1;

/** Read pixels `start` … `end`, writing the scored ones from `to` on; returns where the next one goes. */
function read(
  patterns: Uint32Array,
  verdict: Uint8Array,
  start: number,
  end: number,
  places: Uint32Array,
  cells: Uint32Array,
  to: number,
  extremes: Uint32Array,
): number {
  let first = extremes[0]!;
  let last = extremes[1]!;
  for (let i = start; i < end; i++) {
    const judged = verdict[i]!;
    if (judged >= NOT_SCORED) continue;
    let pattern = patterns[i]!;
    if ((pattern & 0x7fffffff) >= NOT_FINITE) return NONE;
    if (pattern === 0x80000000) pattern = 0; // -0 equals 0
    const place = (pattern ^ ((pattern >> 31) | 0x80000000)) >>> 0;
    places[to] = place;
    cells[to] = ((place >>> FIRST_BITS) << 1) | judged;
    if (place < first) first = place;
    if (place > last) last = place;
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
