import type { Sketch } from "./sketch.js";

/** Most right and wrong pixels an interval may hold, unless it is a single number. Zero keeps everything apart. */
export interface Limits {
  readonly right: number;
  readonly wrong: number;
}

/** The four columns of a sketch. */
export type Intervals = Pick<Sketch, "low" | "bits" | "right" | "wrong">;

/** Limits as a share of the pixels of each kind. */
export const limitsOf = (sketch: { readonly rights: number; readonly wrongs: number }, share: number): Limits => ({
  right: share * sketch.rights,
  wrong: share * sketch.wrongs,
});

/** The first `n` rows, copied. */
export const firstRows = ({ low, bits, right, wrong }: Intervals, n: number): Intervals => ({
  low: low.slice(0, n),
  bits: bits.slice(0, n),
  right: right.slice(0, n),
  wrong: wrong.slice(0, n),
});

/**
 * Join neighbours whose smallest common interval stays within the limits. The pixels move to a wider interval, never to
 * another place, and none is lost.
 */
export function coarsen(sketch: Sketch, limits: Limits): Sketch {
  const copy = firstRows(sketch, sketch.low.length);
  return { ...sketch, ...firstRows(copy, coarsenRows(copy, copy.low.length, limits)) };
}

const deepest = 66; // at most one interval per width, and a joint parent between any two of them

/** `coarsen` on the first `n` rows, in place; returns how many rows are left. One pass over the tree in preorder. */
export function coarsenRows({ low, bits, right, wrong }: Intervals, n: number, limits: Limits): number {
  const mostRight = limits.right;
  const mostWrong = limits.wrong;
  // The path from the root to where we are: interval, pixels below it, and where its part of the output starts.
  const pathLow = new Uint32Array(deepest);
  const pathBits = new Uint8Array(deepest);
  const pathRight = new Float64Array(deepest);
  const pathWrong = new Float64Array(deepest);
  const pathStart = new Uint32Array(deepest);
  let depth = 0;
  let out = 0;
  // One turn more than there are rows: the last one only closes what is still open.
  for (let i = 0; i <= n; i++) {
    const place = i < n ? low[i]! : 0;
    while (depth > 0) {
      const jointBits = i < n ? 32 - Math.clz32(pathLow[depth - 1]! ^ place) : 33;
      if (jointBits <= pathBits[depth - 1]!) break; // inside: becomes a child
      depth--; // this interval is complete: write it as one if it is light enough
      if (pathRight[depth]! <= mostRight && pathWrong[depth]! <= mostWrong) {
        const at = pathStart[depth]!;
        low[at] = pathLow[depth]!;
        bits[at] = pathBits[depth]!;
        right[at] = pathRight[depth]!;
        wrong[at] = pathWrong[depth]!;
        out = at + 1;
      }
      const parentBits = depth > 0 ? pathBits[depth - 1]! : 33;
      if (parentBits > jointBits) {
        // Nobody on the path holds just these two: put their joint interval there, with the finished one as its first child.
        pathLow[depth] = jointBits === 32 ? 0 : (place >>> jointBits) << jointBits;
        pathBits[depth] = jointBits;
        depth++;
        break;
      }
      if (depth > 0) {
        pathRight[depth - 1]! += pathRight[depth]!;
        pathWrong[depth - 1]! += pathWrong[depth]!;
      }
    }
    if (i === n) break;
    const width = bits[i]!;
    const rightHere = right[i]!;
    const wrongHere = wrong[i]!;
    pathLow[depth] = place;
    pathBits[depth] = width;
    pathRight[depth] = rightHere;
    pathWrong[depth] = wrongHere;
    pathStart[depth] = out;
    depth++;
    low[out] = place;
    bits[out] = width;
    right[out] = rightHere;
    wrong[out] = wrongHere;
    out++;
  }
  return out;
}

/**
 * Widen each of the first `n` rows, which are apart and cannot be joined, as far as no other is met; crowded single numbers stay
 * what they are. Pixels look into intervals of the same kind however finely they were counted, so sketches add up in fewer.
 */
export function widenRows({ low, bits, right, wrong }: Intervals, n: number, limits: Limits): void {
  let before = 32; // bits in which the row and the one before it differ
  for (let i = 0; i < n; i++) {
    const after = i + 1 < n ? 32 - Math.clz32(low[i]! ^ low[i + 1]!) : 32;
    const free = Math.min(before, after) - 1;
    before = after;
    if (free > bits[i]! && right[i]! <= limits.right && wrong[i]! <= limits.wrong) {
      bits[i] = free;
      low[i] = (low[i]! >>> free) << free;
    }
  }
}
