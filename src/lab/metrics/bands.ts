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
  /** Right and wrong pixels in wider intervals around interval i: nobody knows on which side of it they are. */
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

/** One walk over the tree of intervals, keeping the path of those that are still open. */
export function bandsOf(sketch: Sketch): Bands {
  const { low, right, wrong } = sketch;
  const n = low.length;
  const before = emptyBand(n);
  const after = emptyBand(n);
  const rightAround = new Float64Array(n);
  const wrongAround = new Float64Array(n);
  const byEnd = new Uint32Array(n);
  const open: number[] = [];
  let ended = 0;
  let rightStarted = 0;
  let wrongStarted = 0;
  let rightOpen = 0;
  let wrongOpen = 0;

  /** Close the open intervals that end before `place`, all those with the same end at once. */
  const closeBefore = (place: number) => {
    while (open.length > 0) {
      const end = highOf(sketch, open.at(-1)!);
      if (end >= place) return;
      const from = ended;
      while (open.length > 0 && highOf(sketch, open.at(-1)!) === end) {
        const i = open.pop()!;
        rightOpen -= right[i]!;
        wrongOpen -= wrong[i]!;
        byEnd[ended++] = i;
      }
      for (let k = from; k < ended; k++) {
        const i = byEnd[k]!;
        after.rightAtLeast[i] = rightStarted - rightOpen;
        after.rightAtMost[i] = rightStarted;
        after.wrongAtLeast[i] = wrongStarted - wrongOpen;
        after.wrongAtMost[i] = wrongStarted;
      }
    }
  };

  for (let i = 0; i < n; i++) {
    closeBefore(low[i]!);
    let rightSameStart = 0;
    let wrongSameStart = 0;
    for (let depth = open.length - 1; depth >= 0 && low[open[depth]!] === low[i]; depth--) {
      rightSameStart += right[open[depth]!]!;
      wrongSameStart += wrong[open[depth]!]!;
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
    open.push(i);
  }
  closeBefore(Number.POSITIVE_INFINITY);
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
