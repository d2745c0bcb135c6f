import { expect, test } from "vitest";
import { random } from "../engine/tensor/random.js";
import { curvesOf, thin } from "./curves.js";
import { SketchBuilder } from "./sketchSet.js";
import { arraysOf, sketchOf } from "./testing/pixels.js";

function manyPixels() {
  const { uniform } = random(3);
  const pixels = Array.from({ length: 20_000 }, () => {
    const right = uniform() > 0.3;
    return { u: Math.fround(right ? uniform() ** 3 : Math.sqrt(uniform())), right };
  });
  const { uncertainty, verdict } = arraysOf(pixels);
  const builder = new SketchBuilder();
  builder.add("a", uncertainty, verdict);
  return builder.finish().total;
}

test("a curve of thousands of thresholds is drawn with few points, and no threshold is far from the line", () => {
  const total = manyPixels();
  const [few, all] = [curvesOf(total, { points: 100 }), curvesOf(total, { points: 1e9 })];
  for (const name of ["roc", "amd", "f05", "riskCoverage"] as const) {
    expect(few[name].length, name).toBeLessThanOrEqual(100);
    const line = few[name];
    const farthest = Math.max(
      ...all[name].map(({ x, y, threshold }) => {
        const k = Math.max(
          1,
          line.findIndex((point) => point.threshold >= threshold),
        );
        const [a, b] = [line[k - 1]!, line[k]!];
        const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        return Math.abs((x - a.x) * (b.y - a.y) - (y - a.y) * (b.x - a.x)) / length;
      }),
    );
    expect(farthest, name).toBeLessThan(0.005);
  }
});

test("curves start with nothing certain and end with everything certain", () => {
  const { roc, amd, f05, riskCoverage } = curvesOf(manyPixels());
  expect(roc[0]).toMatchObject({ x: 0, y: 0 });
  expect(roc.at(-1)).toMatchObject({ x: 1, y: 1 });
  expect(amd[0]!.x).toBe(0);
  expect(f05[0]).toMatchObject({ x: 0, y: 0 });
  expect(riskCoverage.at(-1)!.x).toBe(1);
  expect(riskCoverage.at(-1)!.y).toBeCloseTo(1 - amd.at(-1)!.y, 12);
});

test("corners are kept: a perfect score is drawn with its three points", () => {
  const pixels = Array.from({ length: 50 }, (_, i) => ({ u: i / 64, right: i < 25 }));
  expect(curvesOf(sketchOf([pixels]).total).roc.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [0, 1],
    [1, 1],
  ]);
});

test("points on a straight line are left out", () => {
  const x = Float64Array.from({ length: 100 }, (_, i) => i / 99);
  expect(thin(x, x, 50)).toEqual([0, 99]);
});
