import { limitsOf } from "./coarsen.js";

/** A place is read in two halves: the upper one is sign, exponent and seven bits of the fraction. */
export const HALF = 16;

/** A plan never uses more cells than this: one for each upper half, and as many again that fit into a cache. */
const mostCells = 2 ** HALF + 2 ** 16;

/** Cells to make room for when a plan has so many: it grows a little each time it adapts, its tables only once. */
export const roomFor = (cells: number): number => (cells <= 2 ** HALF ? 2 ** HALF : mostCells);

/** The smallest and the largest place among some pixels. */
export interface Extremes {
  readonly first: number;
  readonly last: number;
}

/** Cells `from` … `to - 1`. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Into how many equal parts each upper half is cut, so that hardly any part is crowded. Learnt from the pixels counted
 * before: the scores of one method look alike from image to image, and a good guess saves reading the pixels again.
 * A bad guess costs time only, as crowded parts are cut further (countPixels.ts) and light ones joined (coarsen.ts).
 */
export class CountingPlan {
  #adapted = 0;
  /** For each upper half 32 · its first cell + how many bits its cells leave open (16: one cell, 0: single numbers). */
  readonly entries = new Int32Array(2 ** HALF);
  cells = 2 ** HALF;

  constructor() {
    for (let upper = 0; upper < this.entries.length; upper++) this.entries[upper] = (upper << 5) | HALF;
  }

  /** Whether any pixel was looked at yet. */
  get learnt(): boolean {
    return this.#adapted > 0;
  }

  /** The cells in which pixels between two places are counted. All others are empty and need no look. */
  cellsBetween({ first, last }: Extremes): CellRange {
    const end = this.entries[last >>> HALF]!;
    return { from: this.entries[first >>> HALF]! >>> 5, to: (end >>> 5) + (1 << (HALF - (end & 31))) };
  }

  /**
   * Make cells smaller where one was more than half full, larger where all were nearly empty, given what was counted and
   * the shares that may hide in a cell. The plan settles after a few calls, and then looks at every eighth only.
   */
  adapt(counts: Uint32Array, extremes: Extremes, share: number): void {
    this.#adapted++;
    if (this.#adapted > 8 && this.#adapted % 8 > 0) return;
    const firstUpper = extremes.first >>> HALF;
    const lastUpper = extremes.last >>> HALF;
    const { from, to } = this.cellsBetween(extremes);
    const limits = limitsOf(sums(counts, { from, to }), share);
    // A handful of pixels is no reason to cut: with few wrong pixels the limit may be less than one.
    const mostRight = Math.max(limits.right, 8);
    const mostWrong = Math.max(limits.wrong, 8);
    const uppers = lastUpper - firstUpper + 1;
    const full = Float64Array.from({ length: uppers }, (_, k) =>
      fullest(counts, this.entries[firstUpper + k]!, mostRight, mostWrong),
    );
    const open = new Uint8Array(uppers);
    let cells = 0;
    // Scores too scattered for the table get larger cells everywhere.
    for (let size = 1; size === 1 || this.cells - (to - from) + cells > mostCells; size *= 2) {
      cells = 0;
      for (let k = 0; k < uppers; k++) {
        open[k] = betterBits(full[k]! / size, this.entries[firstUpper + k]! & 31);
        cells += 1 << (HALF - open[k]!);
      }
    }
    let next = from;
    for (let k = 0; k < uppers; k++) {
      this.entries[firstUpper + k] = (next << 5) | open[k]!;
      next += 1 << (HALF - open[k]!);
    }
    const moved = (next - to) << 5;
    for (let upper = lastUpper + 1; upper < this.entries.length; upper++) this.entries[upper]! += moved;
    this.cells += next - to;
  }
}

/** Wrong pixels are counted at even places, right ones at odd places. */
function sums(counts: Uint32Array, { from, to }: CellRange): { rights: number; wrongs: number } {
  let rights = 0;
  let wrongs = 0;
  for (let cell = from; cell < to; cell++) {
    wrongs += counts[2 * cell]!;
    rights += counts[2 * cell + 1]!;
  }
  return { rights, wrongs };
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
