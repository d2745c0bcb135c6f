import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { auroc, averagePrecision, averagePrecisionOfErrors, trapezoidPrecisionRecall } from "./areas.js";
import { curvesOf } from "./curves.js";
import type { Measured } from "./measured.js";
import { type Resolution, resolutions, SketchBuilder, type SketchSet } from "./sketchSet.js";
import { RIGHT, WRONG } from "./verdict.js";

interface Case {
  readonly kind: string;
  readonly seed: number;
  readonly count: number;
  readonly errorRate: number;
  readonly auroc: number;
  readonly ap: number;
  readonly apError: number;
  readonly prTrapezoid: number;
  readonly roc?: readonly (readonly [number, number])[];
  readonly pr?: readonly (readonly [number, number])[];
}

const { cases } = JSON.parse(readFileSync("test/fixtures/sklearn/sklearn.json", "utf8")) as { cases: Case[] };

/** The same scores as in make.py. */
const kinds: Record<string, (a: number, b: number, wrong: boolean) => number> = {
  ties: (a, b, wrong) => roundHalfEven((0.5 * a + (wrong ? 0.4 : 0.1) * b) * 8) / 8,
  "near-zero": (a, _, wrong) => a ** (wrong ? 4 : 16),
  narrow: (a, b, wrong) => 0.3 + 0.001 * (wrong ? Math.max(a, b) : a * b),
  "near-one": (a, _, wrong) => 1 - a ** (wrong ? 12 : 6) * 1e-3,
  "heavy-tail": (a, _, wrong) => (10 * (wrong ? 1.5 : 1)) / (1 - a),
  negative: (a, b, wrong) => -500 + ((wrong ? 150 : 100) * (a - 0.5)) / (b + 0.01),
  skewed: (a, _, wrong) => (wrong ? Math.sqrt(a) : a),
};

function roundHalfEven(x: number): number {
  const below = Math.floor(x);
  return x - below === 0.5 ? below + (below % 2) : Math.round(x);
}

/** Drawn as in make.py, and handed in as four images. */
function sketch({ kind, seed, count, errorRate }: Case, resolution: Resolution): SketchSet {
  let state = seed;
  const next = () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const uncertainty = new Float32Array(count);
  const verdict = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const [a, b, c] = [next(), next(), next()];
    verdict[i] = c >= errorRate ? RIGHT : WRONG;
    uncertainty[i] = kinds[kind]!(a, b, verdict[i] === WRONG);
  }
  const builder = new SketchBuilder(resolution);
  for (let part = 0; part < 4; part++) {
    const [from, to] = [(count / 4) * part, (count / 4) * (part + 1)];
    builder.add(`part ${part}`, uncertainty.subarray(from, to), verdict.subarray(from, to));
  }
  return builder.finish();
}

const compare = (found: Measured, recorded: number, most: number) => {
  expect(Math.abs(found.value! - recorded)).toBeLessThanOrEqual(most);
  expect(found).toMatchObject({ bound: expect.toSatisfy((bound: number) => bound <= most) });
};

for (const one of cases) {
  const name = `${one.count} ${one.kind} scores, ${one.errorRate} wrong`;

  // Exact mode keeps every number apart, which takes a while; one error rate is enough.
  const exact = one.errorRate > 0.02 ? test : () => {};
  exact(`${name}: exact mode agrees with scikit-learn to 1e-9`, () => {
    const { total } = sketch(one, resolutions.exact);
    compare(auroc(total), one.auroc, 1e-9);
    compare(averagePrecision(total), one.ap, 1e-9);
    compare(averagePrecisionOfErrors(total), one.apError, 1e-9);
    compare(trapezoidPrecisionRecall(total), one.prTrapezoid, 1e-9);
  });

  test(`${name}: sketches agree with scikit-learn to 1e-4 and guarantee it`, () => {
    const { total } = sketch(one, resolutions.fine);
    compare(auroc(total), one.auroc, 1e-4);
    compare(averagePrecision(total), one.ap, 1e-4);
  });

  if (one.roc === undefined || one.pr === undefined) continue;
  test(`${name}: the curves pass through scikit-learn's points`, () => {
    const curves = curvesOf(sketch(one, resolutions.exact).total, { points: 10_000 });
    for (const [x, y] of one.roc!) {
      expect(Math.min(...curves.roc.slice(1).map((point, k) => distance(curves.roc[k]!, point, x, y)))).toBeLessThan(
        1e-5,
      );
    }
    // scikit-learn ends the curve at (0, 1), a point no threshold gives.
    for (const [x, y] of one.pr!.filter(([recall]) => recall > 0)) {
      const line = curves.precisionRecall;
      expect(Math.min(...line.slice(1).map((point, k) => distance(line[k]!, point, x, y)))).toBeLessThan(1e-5);
    }
  });
}

/** From (x, y) to the segment between two points. */
function distance(a: { x: number; y: number }, b: { x: number; y: number }, x: number, y: number): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = dx === 0 && dy === 0 ? 0 : ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
}
