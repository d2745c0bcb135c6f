import { highOf, type Sketch } from "./sketch.js";

/**
 * What a sketch knows for certain about the pixels at or below a threshold: at least `…AtLeast`, at most `…AtMost` of
 * them. Entry i of the `before` columns is for the threshold just below interval i, of `after` for the end of it.
 *
 * A pixel is surely below a threshold when its whole interval is, and possibly when its interval starts below. Where every
 * interval is a single number, least and most are equal and all that follows from them is exact.
 */
export interface Band {
  readonly rightAtLeast: Float64Array;
  readonly rightAtMost: Float64Array;
  readonly wrongAtLeast: Float64Array;
  readonly wrongAtMost: Float64Array;
}

export interface Bands {
  readonly before: Band;
  readonly after: Band;
  /** Right and wrong pixels in wider intervals around interval i: their side of it is unknown. */
  readonly rightAround: Float64Array;
  readonly wrongAround: Float64Array;
  /** Intervals in the order in which they end. */
  readonly byEnd: Uint32Array;
}

function emptyBand(n: number): Band {
  return {
    rightAtLeast: new Float64Array(n),
    rightAtMost: new Float64Array(n),
    wrongAtLeast: new Float64Array(n),
    wrongAtMost: new Float64Array(n),
  };
}

const deepest = 33; // intervals in one another, one of each width

/** One walk over the tree of intervals, keeping the path of those that are still open. */
export function bandsOf(sketch: Sketch): Bands {
  const { low, right, wrong } = sketch;
  const n = low.length;
  const before = emptyBand(n);
  const after = emptyBand(n);
  const rightAround = new Float64Array(n);
  const wrongAround = new Float64Array(n);
  const byEnd = new Uint32Array(n);
  const path = new Uint32Array(deepest);
  const pathEnd = new Float64Array(deepest);
  let depth = 0;
  let ended = 0;
  let rightStarted = 0;
  let wrongStarted = 0;
  let rightOpen = 0;
  let wrongOpen = 0;
  // One turn more than there are intervals: the last one only closes what is still open.
  for (let i = 0; i <= n; i++) {
    const start = i < n ? low[i]! : Number.POSITIVE_INFINITY;
    // Close the open intervals that end before this one, all those with the same end at once.
    while (depth > 0 && pathEnd[depth - 1]! < start) {
      const end = pathEnd[depth - 1]!;
      const from = ended;
      while (depth > 0 && pathEnd[depth - 1] === end) {
        const k = path[--depth]!;
        rightOpen -= right[k]!;
        wrongOpen -= wrong[k]!;
        byEnd[ended++] = k;
      }
      for (let at = from; at < ended; at++) {
        const k = byEnd[at]!;
        after.rightAtLeast[k] = rightStarted - rightOpen;
        after.rightAtMost[k] = rightStarted;
        after.wrongAtLeast[k] = wrongStarted - wrongOpen;
        after.wrongAtMost[k] = wrongStarted;
      }
    }
    if (i === n) break;
    let rightSameStart = 0;
    let wrongSameStart = 0;
    for (let above = depth - 1; above >= 0 && low[path[above]!] === start; above--) {
      rightSameStart += right[path[above]!]!;
      wrongSameStart += wrong[path[above]!]!;
    }
    before.rightAtLeast[i] = rightStarted - rightOpen;
    before.rightAtMost[i] = rightStarted - rightSameStart;
    before.wrongAtLeast[i] = wrongStarted - wrongOpen;
    before.wrongAtMost[i] = wrongStarted - wrongSameStart;
    rightAround[i] = rightOpen;
    wrongAround[i] = wrongOpen;
    rightStarted += right[i]!;
    wrongStarted += wrong[i]!;
    rightOpen += right[i]!;
    wrongOpen += wrong[i]!;
    path[depth] = i;
    pathEnd[depth] = highOf(sketch, i);
    depth++;
  }
  return { before, after, rightAround, wrongAround, byEnd };
}

/** The same pixels seen from the other end: order reversed, right and wrong swapped. */
export function mirrored(sketch: Sketch, { byEnd }: Bands = bandsOf(sketch)): Sketch {
  const order = byEnd.toReversed();
  return {
    low: order.map((i) => 0xffffffff - highOf(sketch, i)),
    bits: Uint8Array.from(order, (i) => sketch.bits[i]!),
    right: Float64Array.from(order, (i) => sketch.wrong[i]!),
    wrong: Float64Array.from(order, (i) => sketch.right[i]!),
    rights: sketch.wrongs,
    wrongs: sketch.rights,
    first: 0xffffffff - sketch.last,
    last: 0xffffffff - sketch.first,
  };
}
