import { coarsenRows, firstRows, type Intervals, type Limits, limitsOf } from "./coarsen.js";
import { CHUNK, FIRST_BITS, type PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import { emptySketch, type Sketch } from "./sketch.js";

/** After the first round a round splits crowded cells only, each into as many parts as keeps the round about this large. */
const cellsPerRound = 2 ** 15;
const fewestBits = 3;
const mostRounds = 1 + Math.ceil((32 - FIRST_BITS) / fewestBits);

/** What one round found: counts at 2·cell + verdict, and for each crowded cell where the next round split it. */
interface Round {
  bitsLeft: number;
  bits: number;
  counts: Uint32Array;
  split: Int32Array;
}

/**
 * Counts pixels into a sketch in which no interval, except a single number, holds more than `share` of the right or of
 * the wrong pixels. Reads the pixels up to seven times and never sorts. Keeps its working arrays from call to call.
 */
export class PixelCounter {
  #places = new Uint32Array(0);
  #cells = new Uint32Array(0);
  #rows: Intervals = firstRows(emptySketch, 0);
  readonly #rounds: readonly Round[] = Array.from({ length: mostRounds }, () => ({
    bitsLeft: 32,
    bits: 0,
    counts: new Uint32Array(0),
    split: new Int32Array(0),
  }));

  count(buffer: PixelBuffer, { from, to, first, last }: PixelRange, share: number): Sketch {
    if (from === to) return emptySketch;
    const wrongs = this.#countFirst(buffer.cells, from, to);
    const totals = { rights: to - from - wrongs, wrongs };
    const limits = limitsOf(totals, share);
    let places = buffer.places.subarray(from, to);
    let cells = buffer.cells.subarray(from, to);
    let cellsInUse = 0;
    for (const [index, round] of this.#rounds.entries()) {
      cellsInUse += round.split.length;
      const blocks = splitCrowded(round, limits);
      if (blocks === 0) break;
      const pixels = this.#countNext(index, blocks, places, cells);
      places = this.#places.subarray(0, pixels);
      cells = this.#cells.subarray(0, pixels);
    }
    const found = this.#collect(Math.min(cellsInUse, to - from));
    const rows = coarsenRows(this.#rows, found, limits);
    return { ...firstRows(this.#rows, rows), ...totals, first, last };
  }

  /** Round one, over all pixels. Returns how many are wrong. */
  #countFirst(cells: Uint32Array, from: number, to: number): number {
    reserve(this.#rounds[0]!, 1, 32 - FIRST_BITS, FIRST_BITS);
    const { counts } = this.#rounds[0]!;
    for (let start = from; start < to; start += CHUNK) countCells(cells, start, Math.min(to, start + CHUNK), counts);
    let wrongs = 0;
    for (let cell = 0; cell < counts.length; cell += 2) wrongs += counts[cell]!;
    return wrongs;
  }

  /** Count the pixels of crowded cells again, with more bits; the others are done and drop out. */
  #countNext(index: number, blocks: number, places: Uint32Array, cells: Uint32Array): number {
    const { split, bitsLeft: bitsBefore } = this.#rounds[index]!;
    const affordable = 31 - Math.clz32(cellsPerRound / blocks);
    const bits = Math.min(bitsBefore, Math.max(fewestBits, affordable)) | 0;
    const round = this.#rounds[index + 1]!;
    reserve(round, blocks, bitsBefore - bits, bits);
    const pixels = places.length;
    if (this.#places.length < pixels) {
      this.#places = new Uint32Array(pixels);
      this.#cells = new Uint32Array(pixels);
    }
    let kept = 0;
    for (let start = 0; start < pixels; start += CHUNK) {
      const end = Math.min(pixels, start + CHUNK);
      kept = countCrowded(places, cells, start, end, split, round, this.#places, this.#cells, kept);
    }
    return kept;
  }

  /** Write the cells that were not split further as rows, in order; returns how many. */
  #collect(room: number): number {
    if (this.#rows.low.length < room) {
      this.#rows = {
        low: new Uint32Array(room),
        bits: new Uint8Array(room),
        right: new Float64Array(room),
        wrong: new Float64Array(room),
      };
    }
    return collectBlock(this.#rounds, 0, 0, 0, this.#rows, 0);
  }
}

function countCells(cells: Uint32Array, start: number, end: number, counts: Uint32Array): void {
  for (let i = start; i < end; i++) counts[cells[i]!]!++;
}

/** Count pixels `start` … `end` that lie in split cells, and keep them, from `kept` on, for the next round. */
function countCrowded(
  places: Uint32Array,
  cells: Uint32Array,
  start: number,
  end: number,
  split: Int32Array,
  { counts, bits, bitsLeft }: Round,
  keptPlaces: Uint32Array,
  keptCells: Uint32Array,
  kept: number,
): number {
  const mask = (1 << bits) - 1;
  for (let i = start; i < end; i++) {
    const before = cells[i]!;
    const block = split[before >>> 1]!;
    if (block < 0) continue;
    const place = places[i]!;
    const cell = (((block << bits) | ((place >>> bitsLeft) & mask)) << 1) | (before & 1);
    keptPlaces[kept] = place;
    keptCells[kept] = cell;
    counts[cell]!++;
    kept++;
  }
  return kept;
}

/** Give each crowded cell a block of cells in the next round; returns how many blocks. A single number needs none. */
function splitCrowded({ counts, split, bitsLeft }: Round, limits: Limits): number {
  const mostRight = limits.right;
  const mostWrong = limits.wrong;
  let blocks = 0;
  for (let cell = 0; cell < split.length; cell++) {
    const crowded = counts[2 * cell + 1]! > mostRight || counts[2 * cell]! > mostWrong;
    split[cell] = crowded && bitsLeft > 0 ? blocks++ : -1;
  }
  return blocks;
}

function collectBlock(
  all: readonly Round[],
  index: number,
  block: number,
  start: number,
  rows: Intervals,
  n: number,
): number {
  const { counts, split, bits: bitsHere, bitsLeft } = all[index]!;
  const { low, bits, right, wrong } = rows;
  const firstCell = block << bitsHere;
  for (let cell = firstCell; cell < firstCell + (1 << bitsHere); cell++) {
    const wrongHere = counts[2 * cell]!;
    const rightHere = counts[2 * cell + 1]!;
    if (rightHere + wrongHere === 0) continue;
    const place = (start | ((cell - firstCell) << bitsLeft)) >>> 0;
    const further = split[cell]!;
    if (further >= 0) {
      n = collectBlock(all, index + 1, further, place, rows, n);
    } else {
      low[n] = place;
      bits[n] = bitsLeft;
      right[n] = rightHere;
      wrong[n] = wrongHere;
      n++;
    }
  }
  return n;
}

/** Set a round up for so many blocks, all counts zero, reusing the memory of earlier calls. */
function reserve(round: Round, blocks: number, bitsLeft: number, bits: number): void {
  round.bitsLeft = bitsLeft;
  round.bits = bits;
  const cells = blocks << bits;
  if (round.counts.buffer.byteLength < 8 * cells) {
    round.counts = new Uint32Array(2 * cells);
    round.split = new Int32Array(cells);
  } else {
    round.counts = new Uint32Array(round.counts.buffer, 0, 2 * cells).fill(0);
    round.split = new Int32Array(round.split.buffer, 0, cells);
  }
}
