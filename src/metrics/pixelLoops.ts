import { HALF } from "./countingPlan.js";

/** A crowded cell is cut into this many parts, as a power of two; again, as long as a part is crowded. */
export const BLOCK_BITS = 4;
export const UNCUT = -1;

/** Counts at 2·cell + verdict; for each crowded cell which block of the next round counts its pixels with more bits. */
export interface Round {
  counts: Uint32Array;
  block: Int32Array;
  /** For each block the bits its cells leave open. Unused in the first round, where the plan says it. */
  open: Uint8Array;
}

/** Count pixels `start` … `end` in the cells of the plan. */
export function countPlanned(
  places: Uint32Array,
  verdicts: Uint8Array,
  start: number,
  end: number,
  plan: Int32Array,
  counts: Uint32Array,
): void {
  for (let i = start; i < end; i++) {
    const place = places[i]!;
    const entry = plan[place >>> HALF]!;
    counts[(((entry >>> 5) + ((place & 0xffff) >>> (entry & 31))) << 1) | verdicts[i]!]!++;
  }
}

/**
 * The first time: pixels of crowded cells of the plan are counted in their blocks, and copied from `kept` on. Upper halves
 * without such a cell are not marked.
 */
export function keepCrowded(
  places: Uint32Array,
  verdicts: Uint8Array,
  start: number,
  end: number,
  marked: Uint8Array,
  plan: Int32Array,
  block: Int32Array,
  { counts, open }: Round,
  keptPlaces: Uint32Array,
  keptCells: Uint32Array,
  kept: number,
): number {
  for (let i = start; i < end; i++) {
    const place = places[i]!;
    if (marked[place >>> HALF] === 0) continue;
    const entry = plan[place >>> HALF]!;
    const into = block[(entry >>> 5) + ((place & 0xffff) >>> (entry & 31))]!;
    if (into === UNCUT) continue;
    const cell = (into << BLOCK_BITS) | ((place >>> open[into]!) & ((1 << BLOCK_BITS) - 1));
    const at = (cell << 1) | verdicts[i]!;
    counts[at]!++;
    keptPlaces[kept] = place;
    keptCells[kept] = at;
    kept++;
  }
  return kept;
}

/** Later on: the same among the pixels kept before, in place. */
export function keepStillCrowded(
  start: number,
  end: number,
  block: Int32Array,
  { counts, open }: Round,
  places: Uint32Array,
  cells: Uint32Array,
  kept: number,
): number {
  for (let i = start; i < end; i++) {
    const before = cells[i]!;
    const into = block[before >>> 1]!;
    if (into === UNCUT) continue;
    const place = places[i]!;
    const cell = (into << BLOCK_BITS) | ((place >>> open[into]!) & ((1 << BLOCK_BITS) - 1));
    const at = (cell << 1) | (before & 1);
    counts[at]!++;
    places[kept] = place;
    cells[kept] = at;
    kept++;
  }
  return kept;
}
