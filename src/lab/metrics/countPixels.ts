import { coarsenRows, firstRows, type Intervals, type Limits, limitsOf } from "./coarsen.js";
import { CountingPlan, HALF } from "./countingPlan.js";
import { CHUNK, type PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import { BLOCK_BITS, countPlanned, keepCrowded, keepStillCrowded, type Round, UNCUT } from "./pixelLoops.js";
import { emptySketch, type Sketch } from "./sketch.js";

/**
 * Counts pixels into a sketch in which no interval, except a single number, holds more than `share` of the right or of
 * the wrong pixels. Reads the pixels once where the plan is good, and crowded ones up to four times more; never sorts.
 */
export class PixelCounter {
  readonly #share: number;
  readonly #plan = new CountingPlan();
  readonly #rounds: readonly Round[] = Array.from({ length: 1 + HALF / BLOCK_BITS }, () => ({
    counts: new Uint32Array(0),
    block: new Int32Array(0),
    open: new Uint8Array(0),
  }));
  #places = new Uint32Array(0);
  #cells = new Uint32Array(0);
  #calls = 0;
  #rows: Intervals = firstRows(emptySketch, 0);

  constructor(share: number) {
    this.#share = share;
  }

  count({ places, verdicts }: PixelBuffer, { from, to, first, last }: PixelRange): Sketch {
    if (from === to) return emptySketch;
    const uppers = { first: first >>> HALF, last: last >>> HALF };
    const { counts } = reserve(this.#rounds[0]!, this.#plan.cells, 0);
    forChunks(from, to, (start, end) => countPlanned(places, verdicts, start, end, this.#plan.entries, counts));
    const wrongs = sumEven(counts);
    const totals = { rights: to - from - wrongs, wrongs };
    const limits = limitsOf(totals, this.#share);
    const cells = this.#cutCrowded(places, verdicts, from, to, uppers, limits);
    const found = this.#collect(uppers, Math.min(cells, to - from));
    const rows = coarsenRows(this.#rows, found, limits);
    if (this.#worthLearning(to - from)) this.#plan.adapt(counts, uppers.first, uppers.last, limits);
    return { ...firstRows(this.#rows, rows), ...totals, first, last };
  }

  /** The plan settles after a few images; a small image says little, and in exact mode every cell is crowded anyway. */
  #worthLearning(pixels: number): boolean {
    if (this.#share === 0 || pixels < CHUNK) return false;
    this.#calls++;
    return this.#calls <= 8 || this.#calls % 8 === 0;
  }

  /** Round after round, count the pixels of crowded cells with more bits, until none is. Returns the cells in use. */
  #cutCrowded(
    places: Uint32Array,
    verdicts: Uint8Array,
    from: number,
    to: number,
    uppers: { readonly first: number; readonly last: number },
    limits: Limits,
  ): number {
    let cells = this.#plan.cells;
    let blocks = cutPlanned(this.#rounds[0]!, this.#plan.entries, uppers.first, uppers.last, limits, this.#rounds[1]!);
    if (blocks > 0 && this.#places.length < to - from) {
      this.#places = new Uint32Array(to - from);
      this.#cells = new Uint32Array(to - from);
    }
    let pixels = 0;
    for (let index = 1; blocks > 0; index++) {
      const before = this.#rounds[index - 1]!;
      const round = reserve(this.#rounds[index]!, blocks << BLOCK_BITS, blocks);
      let kept = 0;
      if (index === 1) {
        const { entries } = this.#plan;
        forChunks(from, to, (start, end) => {
          kept = keepCrowded(
            places,
            verdicts,
            start,
            end,
            entries,
            before.block,
            round,
            this.#places,
            this.#cells,
            kept,
          );
        });
      } else {
        forChunks(0, pixels, (start, end) => {
          kept = keepStillCrowded(start, end, before.block, round, this.#places, this.#cells, kept);
        });
      }
      pixels = kept;
      cells += round.block.length;
      blocks = cutBlocks(round, limits, this.#rounds[index + 1]);
    }
    return cells;
  }

  /** Write the cells that were not cut further as rows, in order; returns how many. */
  #collect(uppers: { readonly first: number; readonly last: number }, most: number): number {
    if (this.#rows.low.length < most) {
      this.#rows = {
        low: new Uint32Array(most),
        bits: new Uint8Array(most),
        right: new Float64Array(most),
        wrong: new Float64Array(most),
      };
    }
    let n = 0;
    for (let upper = uppers.first; upper <= uppers.last; upper++) {
      const entry = this.#plan.entries[upper]!;
      const open = entry & 31;
      n = collectCells(this.#rounds, 0, entry >>> 5, HALF - open, open, (upper << HALF) >>> 0, this.#rows, n);
    }
    return n;
  }
}

function forChunks(from: number, to: number, run: (start: number, end: number) => void): void {
  for (let start = from; start < to; start += CHUNK) run(start, Math.min(to, start + CHUNK));
}

function sumEven(counts: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i += 2) sum += counts[i]!;
  return sum;
}

/** Give each crowded cell of the plan a block in the next round, and note the bits left open there; returns how many. */
function cutPlanned(
  { counts, block }: Round,
  plan: Int32Array,
  firstUpper: number,
  lastUpper: number,
  limits: Limits,
  next: Round,
): number {
  let blocks = 0;
  for (let upper = firstUpper; upper <= lastUpper; upper++) {
    const first = plan[upper]! >>> 5;
    const open = plan[upper]! & 31;
    const end = first + (1 << (HALF - open));
    for (let cell = first; cell < end; cell++) {
      const crowded = counts[2 * cell + 1]! > limits.right || counts[2 * cell]! > limits.wrong;
      block[cell] = crowded && open > 0 ? blocks : UNCUT;
      if (crowded && open > 0) noteOpen(next, blocks++, open);
    }
  }
  return blocks;
}

function cutBlocks({ counts, block, open }: Round, limits: Limits, next: Round | undefined): number {
  let blocks = 0;
  for (let cell = 0; cell < block.length; cell++) {
    const here = open[cell >>> BLOCK_BITS]!;
    const crowded = counts[2 * cell + 1]! > limits.right || counts[2 * cell]! > limits.wrong;
    block[cell] = crowded && here > 0 ? blocks : UNCUT;
    if (crowded && here > 0) noteOpen(next!, blocks++, here);
  }
  return blocks;
}

/** A block whose cell left `open` bits open leaves fewer, down to none. */
function noteOpen(next: Round, block: number, open: number): void {
  if (block >= next.open.length) {
    const grown = new Uint8Array(2 * block + 64);
    grown.set(next.open);
    next.open = grown;
  }
  next.open[block] = Math.max(0, open - BLOCK_BITS);
}

/** Rows for 2^bits cells from `firstCell` on, which leave `open` bits open and start at place `start`. */
function collectCells(
  rounds: readonly Round[],
  index: number,
  firstCell: number,
  bits: number,
  open: number,
  start: number,
  rows: Intervals,
  n: number,
): number {
  const { counts, block } = rounds[index]!;
  for (let sub = 0; sub < 1 << bits; sub++) {
    const cell = firstCell + sub;
    const wrongHere = counts[2 * cell]!;
    const rightHere = counts[2 * cell + 1]!;
    if (rightHere + wrongHere === 0) continue;
    const place = (start | (sub << open)) >>> 0;
    const into = block[cell]!;
    if (into === UNCUT) {
      rows.low[n] = place;
      rows.bits[n] = open;
      rows.right[n] = rightHere;
      rows.wrong[n] = wrongHere;
      n++;
    } else {
      // A cell with fewer open bits than a block has takes up part of its block, at the place its own bits say.
      const left = rounds[index + 1]!.open[into]!;
      const blockStart = ((place >>> (left + BLOCK_BITS)) << (left + BLOCK_BITS)) >>> 0;
      n = collectCells(rounds, index + 1, into << BLOCK_BITS, BLOCK_BITS, left, blockStart, rows, n);
    }
  }
  return n;
}

/** Set a round up for so many cells and blocks, all counts zero, reusing the memory of earlier calls. */
function reserve(round: Round, cells: number, blocks: number): Round {
  if (round.counts.buffer.byteLength < 8 * cells) {
    round.counts = new Uint32Array(2 * cells);
    round.block = new Int32Array(cells);
  } else {
    round.counts = new Uint32Array(round.counts.buffer, 0, 2 * cells).fill(0);
    round.block = new Int32Array(round.block.buffer, 0, cells);
  }
  if (round.open.length < blocks) round.open = new Uint8Array(blocks);
  return round;
}
