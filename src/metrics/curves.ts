import { accuracyOfDetection, countsFrom, fBeta } from "./atThreshold.js";
import { type Bands, bandsOf } from "./bands.js";
import { floatAt } from "./floatKey.js";
import { highOf, pixelsOf, type Sketch } from "./sketch.js";

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly threshold: number;
}

/** Points to draw curves from. */
export interface Curves {
  /** x false positive rate, y true positive rate. */
  readonly roc: readonly CurvePoint[];
  /** x recall, y precision. */
  readonly precisionRecall: readonly CurvePoint[];
  /** x p(a,c), y A_MD. */
  readonly amd: readonly CurvePoint[];
  /** x p(a,c), y F0.5. */
  readonly f05: readonly CurvePoint[];
  /** x share of certain pixels, y error rate among them. */
  readonly riskCoverage: readonly CurvePoint[];
}

/**
 * The curves of the paper's figures, and the risk-coverage curve. Each is thinned out to at most `points` points such that no
 * point left out is farther than necessary from the line drawn; corners and ends stay. Missing where a rate is undefined.
 */
export function curvesOf(
  sketch: Sketch,
  { points = 300, bands = bandsOf(sketch) }: { points?: number; bands?: Bands } = {},
): Curves {
  const { after, byEnd } = bands;
  const n = byEnd.length;
  const pixels = pixelsOf(sketch);
  const thresholds = new Float64Array(n + 1);
  const tp = new Float64Array(n + 1);
  const fp = new Float64Array(n + 1);
  if (n > 0) thresholds[0] = floatAt(sketch.first - 1); // nothing certain
  for (let k = 0; k < n; k++) {
    const i = byEnd[k]!;
    thresholds[k + 1] = floatAt(Math.min(highOf(sketch, i), sketch.last));
    tp[k + 1] = (after.rightAtLeast[i]! + after.rightAtMost[i]!) / 2;
    fp[k + 1] = (after.wrongAtLeast[i]! + after.wrongAtMost[i]!) / 2;
  }
  const draw = (x: (k: number) => number, y: (k: number) => number, possible: boolean): CurvePoint[] => {
    if (!possible) return [];
    const xs = Float64Array.from(tp, (_, k) => x(k));
    const ys = Float64Array.from(tp, (_, k) => y(k));
    return thin(xs, ys, points).map((k) => ({ x: xs[k]!, y: ys[k]!, threshold: thresholds[k]! }));
  };
  const counts = (k: number) => countsFrom(sketch, tp[k]!, fp[k]!);
  const certain = (k: number) => tp[k]! + fp[k]!;
  const pac = (k: number) => tp[k]! / pixels;
  return {
    roc: draw(
      (k) => fp[k]! / sketch.wrongs,
      (k) => tp[k]! / sketch.rights,
      sketch.rights > 0 && sketch.wrongs > 0,
    ),
    // With nothing certain precision is undefined; it is drawn as that of the most certain pixels.
    precisionRecall: draw(
      (k) => tp[k]! / sketch.rights,
      (k) => tp[Math.max(1, k)]! / certain(Math.max(1, k)),
      sketch.rights > 0,
    ),
    amd: draw(pac, (k) => accuracyOfDetection(counts(k)), pixels > 0),
    f05: draw(pac, (k) => fBeta(counts(k)), pixels > 0),
    riskCoverage: draw(
      (k) => certain(k) / pixels,
      (k) => fp[Math.max(1, k)]! / certain(Math.max(1, k)),
      pixels > 0,
    ),
  };
}

/** Indices of the points to keep: Douglas and Peucker's rule, at the finest tolerance that leaves few enough. */
export function thin(x: Float64Array, y: Float64Array, most: number): number[] {
  let kept = withTolerance(x, y, 1e-6);
  for (let tolerance = 1e-5; kept.length > most; tolerance *= 1.5) kept = withTolerance(x, y, tolerance, kept);
  return kept;
}

/** Split at the point farthest from the chord as long as it is farther than the tolerance. */
function withTolerance(x: Float64Array, y: Float64Array, tolerance: number, among?: readonly number[]): number[] {
  const index = among ?? Array.from(x, (_, i) => i);
  const keep = new Uint8Array(index.length);
  const spans: [number, number][] = [[0, index.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    keep[from] = keep[to] = 1;
    const x0 = x[index[from]!]!;
    const y0 = y[index[from]!]!;
    const dx = x[index[to]!]! - x0;
    const dy = y[index[to]!]! - y0;
    const length = Math.hypot(dx, dy);
    let farthest = tolerance;
    let at = -1;
    for (let k = from + 1; k < to; k++) {
      const px = x[index[k]!]! - x0;
      const py = y[index[k]!]! - y0;
      const distance = length === 0 ? Math.hypot(px, py) : Math.abs(px * dy - py * dx) / length;
      if (distance > farthest) {
        farthest = distance;
        at = k;
      }
    }
    if (at > 0) spans.push([from, at], [at, to]);
  }
  return index.filter((_, k) => keep[k] === 1);
}
