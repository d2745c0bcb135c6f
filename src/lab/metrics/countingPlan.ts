import type { Limits } from "./coarsen.js";

/** A place is read in two halves: the upper one is sign, exponent and seven bits of the fraction. */
export const HALF = 16;

/** A plan never uses more cells than this (2 MB of counts). */
const mostCells = 2 ** 18;

/**
 * Into how many equal parts each upper half is cut, so that hardly any part is crowded. Learnt from the pixels counted
 * before: the scores of one method look alike from image to image, and a good guess saves reading the pixels again.
 * A bad guess costs time only, as crowded parts are cut further (countPixels.ts) and light ones joined (coarsen.ts).
 */
export class CountingPlan {
  /** For each upper half 32 · its first cell + how many bits its cells leave open (16: one cell, 0: single numbers). */
  readonly entries = new Int32Array(2 ** HALF);
  cells = 2 ** HALF;

  constructor() {
    for (let upper = 0; upper < this.entries.length; upper++) this.entries[upper] = (upper << 5) | HALF;
  }

  /** Make cells smaller where one was more than half full, larger where all were nearly empty. */
  adapt(counts: Uint32Array, firstUpper: number, lastUpper: number, limits: Limits): void {
    // A handful of pixels is no reason to cut: with few wrong pixels the limit may be less than one.
    const mostRight = Math.max(limits.right, 8);
    const mostWrong = Math.max(limits.wrong, 8);
    const open = new Uint8Array(2 ** HALF).fill(HALF);
    let cells = 0;
    for (let upper = 0; upper < open.length; upper++) {
      const bits = this.entries[upper]! & 31;
      const inside = upper >= firstUpper && upper <= lastUpper;
      open[upper] = inside ? betterBits(fullest(counts, this.entries[upper]!, mostRight, mostWrong), bits) : bits;
      cells += 1 << (HALF - open[upper]!);
    }
    if (cells > mostCells) return; // scores too scattered for a table; keep the plan there is
    let next = 0;
    for (let upper = 0; upper < open.length; upper++) {
      this.entries[upper] = (next << 5) | open[upper]!;
      next += 1 << (HALF - open[upper]!);
    }
    this.cells = next;
  }
}

/** How full the fullest cell of an upper half is, 1 being the limit. */
function fullest(counts: Uint32Array, entry: number, mostRight: number, mostWrong: number): number {
  const first = entry >>> 5;
  const end = first + (1 << (HALF - (entry & 31)));
  let right = 0;
  let wrong = 0;
  for (let cell = first; cell < end; cell++) {
    if (counts[2 * cell + 1]! > right) right = counts[2 * cell + 1]!;
    if (counts[2 * cell]! > wrong) wrong = counts[2 * cell]!;
  }
  return Math.max(right / mostRight, wrong / mostWrong);
}

function betterBits(fullness: number, bits: number): number {
  if (fullness > 0.5) return Math.max(0, bits - Math.ceil(Math.log2(fullness * 4)));
  return fullness < 1 / 32 ? Math.min(HALF, bits + 1) : bits;
}
