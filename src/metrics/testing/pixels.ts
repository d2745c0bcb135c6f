import fc from "fast-check";
import { addSketchSets, type Resolution, SketchBuilder, type SketchSet } from "../sketchSet.js";
import { RIGHT, WRONG } from "../verdict.js";
import type { Pixel } from "./reference.js";

/** Scores as methods make them: tied, crowded, heavy-tailed, negative, tiny, huge. All are float32 numbers. */
const score: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 4 }).map((k) => k / 4),
  fc.integer({ min: 0, max: 60 }).map((k) => Math.fround(0.3 + k * 2e-7)),
  fc.integer({ min: 0, max: 40 }).map((k) => Math.fround(1 - 2 ** -24 * k)),
  fc.double({ min: 0, max: 1, noNaN: true }).map(Math.fround),
  fc.double({ min: -40, max: 40, noNaN: true }).map((x) => Math.fround(Math.exp(x))),
  fc.double({ min: -500, max: 500, noNaN: true }).map(Math.fround),
  fc.constantFrom(0, -0, 2 ** -149, 3.4028234663852886e38, -3.4028234663852886e38),
);

/** One image: anything from perfect to hopeless. */
export const image: fc.Arbitrary<Pixel[]> = fc.array(fc.record({ u: score, right: fc.boolean() }), { maxLength: 60 });

/** Intervals so wide that nearly nothing is exact. */
export const coarse: fc.Arbitrary<Resolution> = fc.record({
  batch: fc.constantFrom(0, 0.05, 0.2, 0.5),
  total: fc.constantFrom(0, 0.05, 0.3),
  kept: fc.constantFrom(0, 0.1, 0.4),
});

export function arraysOf(pixels: readonly Pixel[]): { uncertainty: Float32Array; verdict: Uint8Array } {
  return {
    uncertainty: Float32Array.from(pixels, ({ u }) => u),
    verdict: Uint8Array.from(pixels, ({ right }) => (right ? RIGHT : WRONG)),
  };
}

/** Each image sketched by a different machine, then added up, so that wide intervals hold narrow ones. */
export function sketchOf(images: readonly (readonly Pixel[])[], resolution?: Resolution): SketchSet {
  return addSketchSets(
    images.map((pixels, i) => {
      const builder = new SketchBuilder(resolution);
      const { uncertainty, verdict } = arraysOf(pixels);
      builder.add(`image ${i}`, uncertainty, verdict);
      return builder.finish();
    }),
    resolution,
  );
}
