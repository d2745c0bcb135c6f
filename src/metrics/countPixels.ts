import { coarsenRows, firstRows, type Intervals, type Limits, limitsOf, widenRows } from "./coarsen.js";
import { type CellRange, type CountingPlan, type Extremes, HALF, roomFor } from "./countingPlan.js";
import { CHUNK, type PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import { BLOCK_BITS, countPlanned, keepCrowded, keepStillCrowded, type Round, UNCUT } from "./pixelLoops.js";
import { emptySketch, type Sketch } from "./sketch.js";

/** How many wrong and right pixels of a buffer fall into each cell of a plan, at 2·cell + verdict; counts are added to. */
export function countPixels(
  { places, verdicts }: PixelBuffer,
  { from, to }: Pick<PixelRange, "from" | "to">,
  plan: CountingPlan,
  counts: Uint32Array,
): void {
  forChunks(from, to, (start, end) => countPlanned(places, verdicts, start, end, plan.entries, counts));
}

/** Counts at zero, one of each kind for every cell of a plan. */
export const emptyCounts = (plan: CountingPlan): Uint32Array => new Uint32Array(2 * roomFor(plan.cells));

/** Set the counts of some cells back to zero. */
export const clear = (counts: Uint32Array, { from, to }: CellRange): Uint32Array => counts.fill(0, 2 * from, 2 * to);

/**
 * Makes a sketch of tallied pixels, in which no interval, except a single number, holds more than `share` of the right or of
 * the wrong pixels, and every interval is the widest of which that is true. So the sketch depends on the pixels alone, not
 * on the plan. Reads pixels of crowded cells again, up to five times; never sorts.
 */
export class Sketcher {
  readonly #share: number;
  readonly #rounds: readonly Round[] = Array.from({ length: 1 + HALF / BLOCK_BITS }, () => ({
    counts: new Uint32Array(0),
    block: new Int32Array(0),
    open: new Uint8Array(0),
  }));
  /** Upper halves with a crowded cell: few, so one look here spares most pixels the rest. */
  readonly #crowded = new Uint8Array(2 ** HALF);
  #places = new Uint32Array(0);
  #cells = new Uint32Array(0);
  #rows: Intervals = firstRows(emptySketch, 0);
  #sums = { right: new Uint32Array(1), wrong: new Uint32Array(1) };

  constructor(share: number) {
    this.#share = share;
  }

  /** `counts` are those of the range, by the plan. */
  sketch({ places, verdicts }: PixelBuffer, range: PixelRange, plan: CountingPlan, counts: Uint32Array): Sketch {
    const { from, to, first, last } = range;
    if (from === to) return emptySketch;
    const uppers = { first: first >>> HALF, last: last >>> HALF };
    const tallied = this.#rounds[0]!;
    tallied.counts = counts;
    if (tallied.block.length < plan.cells) tallied.block = new Int32Array(roomFor(plan.cells));
    const totals = this.#sumUp(counts, plan, range);
    const limits = limitsOf(totals, this.#share);
    const cells = this.#cutCrowded(places, verdicts, from, to, plan, uppers, limits);
    const found = this.#collect(plan, uppers, limits, Math.min(cells, to - from));
    const rows = coarsenRows(this.#rows, found, limits);
    widenRows(this.#rows, rows, limits);
    return { ...firstRows(this.#rows, rows), ...totals, first, last };
  }

  /** Round after round, count the pixels of crowded cells with more bits, until none is. Returns the cells in use. */
  #cutCrowded(
    places: Uint32Array,
    verdicts: Uint8Array,
    from: number,
    to: number,
    plan: CountingPlan,
    uppers: Extremes,
    limits: Limits,
  ): number {
    const { entries } = plan;
    let { cells } = plan;
    let blocks = cutPlanned(this.#rounds[0]!, entries, uppers, limits, this.#rounds[1]!, this.#crowded);
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
        forChunks(from, to, (start, end) => {
          kept = keepCrowded(
            places,
            verdicts,
            start,
            end,
            this.#crowded,
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

  /** Write the cells that were not cut further as rows, in order, light neighbours as one; returns how many. */
  #collect({ entries }: CountingPlan, uppers: Extremes, limits: Limits, most: number): number {
    if (this.#rows.low.length < most) {
      const room = 2 ** Math.ceil(Math.log2(most)); // the plan grows a little with every batch
      this.#rows = {
        low: new Uint32Array(room),
        bits: new Uint8Array(room),
        right: new Float64Array(room),
        wrong: new Float64Array(room),
      };
    }
    let n = 0;
    for (let upper = uppers.first; upper <= uppers.last; upper++) {
      const entry = entries[upper]!;
      const open = entry & 31;
      n = this.#collectPlanned(entry >>> 5, HALF - open, open, (upper << HALF) >>> 0, limits, n);
    }
    return n;
  }

  /** Rows for 2^bits cells of the plan from `first` on, which leave `open` bits open and start at place `start`. */
  #collectPlanned(first: number, bits: number, open: number, start: number, limits: Limits, n: number): number {
    const { right, wrong } = this.#sums;
    const end = first + (1 << bits);
    const rights = right[end]! - right[first]!;
    const wrongs = wrong[end]! - wrong[first]!;
    if (rights + wrongs === 0) return n;
    if (bits === 0) return collectCells(this.#rounds, 0, first, 0, open, start, this.#rows, n);
    if (rights <= limits.right && wrongs <= limits.wrong) {
      this.#rows.low[n] = start;
      this.#rows.bits[n] = open + bits;
      this.#rows.right[n] = rights;
      this.#rows.wrong[n] = wrongs;
      return n + 1;
    }
    const middle = first + (1 << (bits - 1));
    const startOfRight = (start | (1 << (open + bits - 1))) >>> 0;
    const after = this.#collectPlanned(first, bits - 1, open, start, limits, n);
    return this.#collectPlanned(middle, bits - 1, open, startOfRight, limits, after);
  }

  /** Sums of counts over all cells before each: any run of cells is two looks away. */
  #sumUp(counts: Uint32Array, plan: CountingPlan, range: PixelRange): { rights: number; wrongs: number } {
    if (this.#sums.right.length <= plan.cells) {
      const room = roomFor(plan.cells) + 1;
      this.#sums = { right: new Uint32Array(room), wrong: new Uint32Array(room) };
    }
    const { from, to } = plan.cellsBetween(range);
    const { right, wrong } = this.#sums;
    let rights = 0;
    let wrongs = 0;
    right[from] = 0;
    wrong[from] = 0;
    for (let cell = from; cell < to; cell++) {
      wrongs += counts[2 * cell]!;
      rights += counts[2 * cell + 1]!;
      wrong[cell + 1] = wrongs;
      right[cell + 1] = rights;
    }
    return { rights, wrongs };
  }
}

function forChunks(from: number, to: number, run: (start: number, end: number) => void): void {
  for (let start = from; start < to; start += CHUNK) run(start, Math.min(to, start + CHUNK));
}

/**
 * Give each crowded cell of the plan a block in the next round, and note the bits left open there; returns how many. Upper
 * halves with such a cell are marked.
 */
function cutPlanned(
  { counts, block }: Round,
  plan: Int32Array,
  uppers: Extremes,
  limits: Limits,
  next: Round,
  marks: Uint8Array,
): number {
  let blocks = 0;
  for (let upper = uppers.first; upper <= uppers.last; upper++) {
    const before = blocks;
    const first = plan[upper]! >>> 5;
    const open = plan[upper]! & 31;
    const end = first + (1 << (HALF - open));
    for (let cell = first; cell < end; cell++) {
      const crowded = counts[2 * cell + 1]! > limits.right || counts[2 * cell]! > limits.wrong;
      block[cell] = crowded && open > 0 ? blocks : UNCUT;
      if (crowded && open > 0) noteOpen(next, blocks++, open);
    }
    marks[upper] = blocks > before ? 1 : 0;
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
