import fc from "fast-check";
import { expect, test } from "vitest";
import type { Curve } from "./protocol.js";
import { ThinnedSeries } from "./thinnedSeries.js";

type Point = readonly [step: number, value: number];

/** The same, from all points at once: the smallest power of two of points in a row that leaves few enough groups. */
function slowly(points: readonly Point[], most: number): Curve {
  let size = 1;
  while (Math.ceil(points.length / size) > most) size *= 2;
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, k) =>
    points.slice(k * size, (k + 1) * size),
  );
  const round = (value: number): number => Number(value.toPrecision(6));
  const values = groups.map((group) => group.map(([, value]) => value));
  return {
    steps: groups.map((group) => (group[0]![0] + group.at(-1)![0]) / 2),
    mean: values.map((some) => round(some.reduce((sum, value) => sum + value, 0) / some.length)),
    low: values.map((some) => round(Math.min(...some))),
    high: values.map((some) => round(Math.max(...some))),
  };
}

function thinned(points: readonly Point[], most: number): Curve {
  const series = new ThinnedSeries(most);
  for (const [step, value] of points) series.add(step, value);
  return series.curve();
}

test("a series is what the slow obvious loop makes of all its points, at every length", () => {
  const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -1000, max: 1000 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(points, fc.constantFrom(2, 4, 10, 64), (gaps, most) => {
      let step = 0;
      const all = gaps.map(([gap, value]): Point => {
        step += gap;
        return [step, value / 8];
      });
      expect(thinned(all, most)).toEqual(slowly(all, most));
    }),
  );
});

test("of 160,000 points every extreme is kept, and no more than 400 are drawn", () => {
  const points = Array.from({ length: 160_000 }, (_, i): Point => [i + 1, i === 77_777 ? 1e6 : Math.sin(i)]);
  const curve = thinned(points, 400);
  expect(curve.steps.length).toBeLessThanOrEqual(400);
  expect(curve.steps.length).toBeGreaterThan(200);
  expect(Math.max(...curve.high)).toBe(1e6);
  expect(curve.steps.at(-1)).toBeGreaterThan(159_000);
});
