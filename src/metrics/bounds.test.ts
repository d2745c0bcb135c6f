import fc from "fast-check";
import { expect, test } from "vitest";
import {
  augrc,
  aurc,
  auroc,
  averagePrecision,
  averagePrecisionOfErrors,
  fprAtTpr,
  trapezoidPrecisionRecall,
} from "./areas.js";
import { accuracyOfDetection, atThreshold, fBeta, rightAndCertain } from "./atThreshold.js";
import { maxAmd, maxF05 } from "./best.js";
import type { Measured } from "./measured.js";
import { official500 } from "./official500.js";
import type { Sketch } from "./sketch.js";
import { resolutions } from "./sketchSet.js";
import { coarse, image, sketchOf } from "./testing/pixels.js";
import {
  allPairsAuroc,
  everyThreshold,
  fpr95,
  generalisedRisk,
  meanRisk,
  official,
  type Pixel,
  stepAveragePrecision,
  swapped,
  trapezoid,
} from "./testing/reference.js";

const measures: Record<string, { ours: (sketch: Sketch) => Measured; slow: (pixels: readonly Pixel[]) => number }> = {
  auroc: { ours: auroc, slow: allPairsAuroc },
  averagePrecision: { ours: averagePrecision, slow: stepAveragePrecision },
  averagePrecisionOfErrors: { ours: averagePrecisionOfErrors, slow: (pixels) => stepAveragePrecision(swapped(pixels)) },
  trapezoid: { ours: trapezoidPrecisionRecall, slow: trapezoid },
  official500: { ours: official500, slow: official },
  fpr95: { ours: fprAtTpr, slow: fpr95 },
  aurc: { ours: aurc, slow: meanRisk },
  augrc: { ours: augrc, slow: generalisedRisk },
  maxAmd: { ours: maxAmd, slow: (pixels) => Math.max(...everyThreshold(pixels).map(accuracyOfDetection)) },
  maxF05: { ours: maxF05, slow: (pixels) => Math.max(...everyThreshold(pixels).map((counts) => fBeta(counts))) },
};

const images = fc.array(image, { minLength: 1, maxLength: 4 });
const bothKinds = (all: readonly Pixel[]) => all.some(({ right }) => right) && all.some(({ right }) => !right);

/** Compare each measure that is defined on these pixels. */
function compareAll(all: readonly Pixel[], sketch: Sketch, allowed: (bound: number) => number): void {
  for (const [name, { ours, slow }] of Object.entries(measures)) {
    if (name === "official500" && all.every(({ u }) => u < 0)) continue;
    const found = ours(sketch);
    if (found.value === null) throw new Error(`${name}: ${found.reason}`);
    expect(Math.abs(found.value - slow(all)), name).toBeLessThanOrEqual(allowed(found.bound));
  }
}

test("all measures are exact when each number has its own interval", () => {
  fc.assert(
    fc.property(images, (parts) => {
      fc.pre(bothKinds(parts.flat()));
      compareAll(parts.flat(), sketchOf(parts, resolutions.exact).total, () => 1e-9);
    }),
    { numRuns: 100, seed: 1 },
  );
});

test("all measures are within their own bounds however wide the intervals", () => {
  fc.assert(
    fc.property(images, coarse, (parts, resolution) => {
      fc.pre(bothKinds(parts.flat()));
      compareAll(parts.flat(), sketchOf(parts, resolution).total, (bound) => bound + 1e-9);
    }),
    { numRuns: 250, seed: 2 },
  );
});

test("all bounds are zero when each number has its own interval", () => {
  fc.assert(
    fc.property(images, (parts) => {
      fc.pre(bothKinds(parts.flat()));
      const { total } = sketchOf(parts, resolutions.exact);
      for (const [name, { ours }] of Object.entries(measures)) {
        const found = ours(total);
        if (found.value !== null) expect(found.bound, name).toBeLessThan(1e-12);
      }
    }),
    { numRuns: 50, seed: 3 },
  );
});

test("at any threshold A_MD, F0.5 and p(a,c) are within their bounds", () => {
  fc.assert(
    fc.property(images, coarse, fc.nat(), (parts, resolution, pick) => {
      const all = parts.flat();
      fc.pre(all.length > 0);
      const points = everyThreshold(all);
      const exact = points[pick % points.length]!;
      const found = atThreshold(sketchOf(parts, resolution).total, exact.threshold)!;
      const near = (ours: { value: number; bound: number }, slow: number) =>
        expect(Math.abs(ours.value - slow)).toBeLessThanOrEqual(ours.bound + 1e-12);
      near(found.amd, accuracyOfDetection(exact));
      near(found.f05, fBeta(exact));
      near(found.pac, rightAndCertain(exact));
      near(found.certain, (exact.tp + exact.fp) / all.length);
    }),
    { numRuns: 150, seed: 3 },
  );
});

test("the AUROC of any parts added up is within the share allowed to one interval", () => {
  fc.assert(
    fc.property(images, fc.constantFrom(0.02, 0.1, 0.3), (parts, batch) => {
      fc.pre(bothKinds(parts.flat()));
      const found = auroc(sketchOf(parts, { batch, total: 0, kept: batch }).total);
      expect(found).toMatchObject({ bound: expect.toSatisfy((bound: number) => bound <= batch + 1e-12) });
    }),
    { numRuns: 150, seed: 4 },
  );
});

test("the best threshold is one at which the best value is reached, with the most right and certain pixels", () => {
  fc.assert(
    fc.property(images, (parts) => {
      const all = parts.flat();
      fc.pre(all.length > 0);
      const found = maxAmd(sketchOf(parts, resolutions.exact).total);
      const points = everyThreshold(all);
      const top = Math.max(...points.map(accuracyOfDetection));
      const pac = Math.max(...points.filter((point) => accuracyOfDetection(point) === top).map(rightAndCertain));
      const there = all.filter(({ u, right }) => right && u <= (found as { threshold: number }).threshold).length;
      expect(found).toMatchObject({ value: top, pac });
      expect(there / all.length).toBe(pac);
    }),
    { numRuns: 200, seed: 5 },
  );
});
