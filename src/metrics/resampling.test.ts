import { expect, test } from "vitest";
import { random } from "../engine/tensor/random.js";
import { auroc } from "./areas.js";
import { accuracyOfDetection, fBeta } from "./atThreshold.js";
import { bootstrap, quantile } from "./bootstrap.js";
import { SketchBuilder, type SketchSet } from "./sketchSet.js";
import { arraysOf, sketchOf } from "./testing/pixels.js";
import { everyThreshold, type Pixel } from "./testing/reference.js";
import { crossThresholds, thresholdStudy } from "./thresholdStudy.js";

/** Images of different difficulty: wrong pixels are a little less certain. */
function scenes(count: number, pixels: number, seed = 1): Pixel[][] {
  const { uniform } = random(seed);
  return Array.from({ length: count }, () => {
    const errorRate = 0.1 + 0.5 * uniform();
    return Array.from({ length: pixels }, () => {
      const right = uniform() >= errorRate;
      return { u: Math.fround(right ? uniform() * uniform() : Math.sqrt(uniform())), right };
    });
  });
}

function built(images: readonly Pixel[][]): SketchSet {
  const builder = new SketchBuilder();
  for (const [i, pixels] of images.entries()) {
    const { uncertainty, verdict } = arraysOf(pixels);
    builder.add(`${i}`, uncertainty, verdict);
  }
  return builder.finish();
}

const forty = built(scenes(40, 2000));

test("bootstrap intervals hold the value, repeat with the seed and move with it", () => {
  const centre = { auroc: auroc(forty.total).value };
  const once = bootstrap(forty, centre, { replicates: 200, seed: 7 });
  expect(once.auroc!.low).toBeLessThan(centre.auroc!);
  expect(once.auroc!.high).toBeGreaterThan(centre.auroc!);
  expect(once.accuracy!.high - once.accuracy!.low).toBeGreaterThan(0.02);
  expect(bootstrap(forty, centre, { replicates: 200, seed: 7 })).toEqual(once);
  expect(bootstrap(forty, centre, { replicates: 200, seed: 8 })).not.toEqual(once);
});

test("the spread of the accuracy is that of a mean over images", () => {
  const { low, high } = bootstrap(forty, {}, { replicates: 2000 }).accuracy!;
  const accuracies = forty.images.map(({ sketch }) => sketch.rights / (sketch.rights + sketch.wrongs));
  const mean = accuracies.reduce((so, x) => so + x, 0) / 40;
  const spread = Math.sqrt(accuracies.reduce((so, x) => so + (x - mean) ** 2, 0) / 40 / 40);
  expect((high - low) / (2 * 1.96 * spread)).toBeCloseTo(1, 0.8);
});

test("one image has no interval", () => {
  expect(bootstrap(built(scenes(1, 100)), {}).auroc).toBeNull();
});

test("quantiles lie on the line between neighbours", () => {
  expect([0, 0.25, 0.5, 1].map((share) => quantile([1, 2, 4], share))).toEqual([1, 1.5, 2, 4]);
});

test("a threshold chosen on more images is closer to the best one there is", () => {
  const { rows, oracle } = thresholdStudy(forty, { labelled: [1, 20, 40], trials: 100, seed: 3 });
  const mean = (values: Float64Array) => values.reduce((so, x) => so + x, 0) / values.length;
  expect(rows.map((row) => row.labelled)).toEqual([1, 20]); // 40 of 40 leaves nothing to test on
  const gaps = rows.map(({ values }) => Math.abs(oracle.value - mean(values)));
  expect(gaps[1]).toBeLessThan(gaps[0]!);
  expect(gaps[1]).toBeLessThan(0.01);
});

test("a threshold study agrees with trying every threshold on the pixels themselves", () => {
  const images = scenes(2, 1500, 5);
  const { rows, oracle } = thresholdStudy(built(images), { labelled: [1], trials: 20, seed: 1 });
  const points = everyThreshold(images.flat());
  expect(oracle.value).toBeCloseTo(Math.max(...points.map(accuracyOfDetection)), 2);
  const expected = [0, 1].map((chosen) => {
    const tried = everyThreshold(images[chosen]!);
    const top = Math.max(...tried.map(accuracyOfDetection));
    const { threshold } = tried.findLast((point) => accuracyOfDetection(point) === top)!;
    return accuracyOfDetection(everyThreshold(images[1 - chosen]!).findLast((point) => point.threshold <= threshold)!);
  });
  for (const value of rows[0]!.values) {
    expect(Math.min(...expected.map((one) => Math.abs(one - value)))).toBeLessThan(0.01);
  }
});

test("studies repeat with their seed", () => {
  const options = { labelled: [5], trials: 10, seed: 4, objective: "f05" } as const;
  const study = thresholdStudy(forty, options);
  expect(thresholdStudy(forty, options)).toEqual(study);
  expect(thresholdStudy(forty, { ...options, labelled: [2, 5] }).rows[1]).toEqual(study.rows[0]);
});

test("a threshold carried to another domain loses what it loses there, and nothing at home", () => {
  const [home, away] = [scenes(1, 400, 8), scenes(1, 400, 9)];
  const rows = crossThresholds(
    "home",
    new Map([
      ["home", sketchOf(home).total],
      ["away", sketchOf(away).total],
    ]),
  );
  const best = (pixels: Pixel[]) => Math.max(...everyThreshold(pixels).map((counts) => fBeta(counts)));
  expect(rows.map(({ domain }) => domain)).toEqual(["home", "away"]);
  expect(rows[0]!.changePercent).toBe(0);
  expect(rows[1]!.best).toBeCloseTo(best(away.flat()), 9);
  expect(rows[1]!.changePercent).toBeLessThanOrEqual(0);
  expect(() => crossThresholds("mars", new Map())).toThrow('home domain "mars"');
});
