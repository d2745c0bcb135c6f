import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { gradients } from "../../engine/autodiff/gradients.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { sum } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import type { Program } from "../../engine/runtime/runtime.js";
import { float32, floats, type HostTensor, hostTensor, int64, type Tensors } from "../../engine/tensor/hostTensor.js";
import { type CertaintyRule, certainty, isConsistent, solveGamma } from "./gammaSolver.js";

const CLASSES = 3;
const shape = [2, 4, 5];
const COUNT = 40;

interface Pixel {
  readonly confidence: number;
  readonly peak: number;
  readonly predicted: number;
  readonly consistent: boolean;
  readonly valid: boolean;
}

const pixels = {
  predicted: input("predicted", { dtype: "int64", shape }),
  confidence: input("confidence", { dtype: "float32", shape }),
  peak: input("peak", { dtype: "float32", shape }),
  consistent: input("consistent", { dtype: "bool", shape }),
  valid: input("valid", { dtype: "bool", shape }),
};
const previous = [-0.5, -0.25, 0.75];

const feedsOf = (batch: readonly Pixel[]): Tensors => {
  const bits = (of: (pixel: Pixel) => boolean): HostTensor =>
    hostTensor(
      "bool",
      shape,
      Uint8Array.from(batch, (pixel) => Number(of(pixel))),
    );
  return {
    predicted: int64(
      shape,
      batch.map((pixel) => pixel.predicted),
    ),
    confidence: float32(
      shape,
      batch.map((pixel) => pixel.confidence),
    ),
    peak: float32(
      shape,
      batch.map((pixel) => pixel.peak),
    ),
    consistent: bits((pixel) => pixel.consistent),
    valid: bits((pixel) => pixel.valid),
  };
};

const programs = new Map<string, Promise<Program>>();
afterAll(async () => {
  for (const program of programs.values()) await (await program).close();
});

/** γ, M_γ and the weights of L_c for a batch, under a rule. */
async function solved(batch: readonly Pixel[], rule: CertaintyRule) {
  const key = JSON.stringify(rule);
  if (!programs.has(key)) {
    const { perClass, ...rest } = certainty(pixels, rule, constant(float32([CLASSES], previous)));
    programs.set(key, compile(nodeRuntime(), { outputs: { ...rest, ...(perClass && { perClass }) } }));
  }
  const program = await programs.get(key)!;
  const feeds = feedsOf(batch);
  const result = await program.run(feeds);
  return {
    gamma: floats(result.gamma, "gamma")[0]!,
    certain: [...result.certain!.data].map(Boolean),
    weight: [...floats(result.weight, "weight")],
    perClass: result.perClass === undefined ? [] : [...floats(result.perClass, "perClass")],
  };
}

const fround = Math.fround;
/** Alg. 1, word for word, on the pixels that are valid. */
function byTheBook(batch: readonly Pixel[]): number {
  const part = batch.filter((pixel) => pixel.valid);
  const sorted = part.map((pixel) => fround(pixel.confidence)).sort((a, b) => a - b);
  const inconsistent = part.filter((pixel) => !pixel.consistent).length;
  return sorted[Math.min(inconsistent, part.length - 1)] ?? -3;
}

const value = fc
  .oneof(fc.float({ min: -1, max: 1, noNaN: true }), fc.constantFrom(-1, 0, 0.5, 0.5, fround(0.50000006), 1))
  .map((x) => x + 0); // no -0: it equals 0, and either may be found
const pixel = (consistent: fc.Arbitrary<boolean>, valid: fc.Arbitrary<boolean>) =>
  fc.record({
    confidence: value,
    peak: fc.float({ min: fround(0.1), max: 1, noNaN: true }),
    predicted: fc.nat(CLASSES - 1),
    consistent,
    valid,
  });
const batches = fc
  .tuple(
    fc.constantFrom(fc.boolean(), fc.constant(true), fc.constant(false)),
    fc.constantFrom(fc.boolean(), fc.constant(true), fc.constant(true), fc.constant(false)),
  )
  .chain(([consistent, valid]) => fc.array(pixel(consistent, valid), { minLength: COUNT, maxLength: COUNT }));
const RUNS = { numRuns: 300, seed: 7 } as const;

test("G-1: consistent is where both branches name the same class, the lower one on a tie", async () => {
  const target = constant(float32([1, 3, 1, 3], [1, 5, 0, 1, 0, 2, 0, 0, 2]));
  const query = constant(float32([1, 3, 1, 3], [9, 0, 0, 1, 1, 3, 1, 2, 1]));
  const { y } = await evaluateOnce({ y: isConsistent(target, query) }, {});
  expect([...y!.data]).toEqual([1, 0, 1]);
});

test("G-2, G-6: γ equals that of the sort, to the bit, with ties, with all or none consistent, with all or none valid", () =>
  fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      expect((await solved(batch, { kind: "gamma" })).gamma).toBe(byTheBook(batch));
    }),
    RUNS,
  ));

test("G-5: as many pixels are certain as are consistent, but for ties with γ itself", () =>
  fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const { gamma, certain } = await solved(batch, { kind: "gamma" });
      const certainPixels = certain.filter(Boolean).length;
      const consistentPixels = batch.filter((one) => one.valid && one.consistent).length;
      const ties = batch.filter((one) => one.valid && fround(one.confidence) === gamma).length;
      if (consistentPixels === 0) expect(certainPixels).toBe(ties);
      else {
        expect(certainPixels).toBeGreaterThanOrEqual(consistentPixels);
        expect(certainPixels - consistentPixels).toBeLessThanOrEqual(ties - 1);
        if (ties === 1) expect(certainPixels).toBe(consistentPixels);
      }
    }),
    RUNS,
  ));

test("A-8: a pixel that is not valid is never certain and weighs nothing, under any rule", () =>
  fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      for (const rule of [
        { kind: "gamma" },
        { kind: "none" },
        { kind: "soft" },
        { kind: "per-class" },
        { kind: "constant", share: 0.6 },
      ] as const) {
        const { certain, weight } = await solved(batch, rule);
        batch.forEach((one, i) => {
          if (!one.valid) expect([certain[i], weight[i]]).toEqual([false, 0]);
        });
      }
    }),
    { numRuns: 60, seed: 7 },
  ));

const example = (over: Partial<Pixel>[]): Pixel[] =>
  Array.from({ length: COUNT }, (_, i) => ({
    confidence: i / COUNT,
    peak: 0.2 + i / 100,
    predicted: i % CLASSES,
    consistent: i % 2 === 0,
    valid: true,
    ...over[i],
  }));

test("G-3: the count of ten million pixels is exact", async () => {
  // A third of them consistent: (1 - 1/3) times ten million is no whole number in floating point. Confidences are the
  // whole numbers below ten million in some order, so that the element at place R of the sorted list is R.
  const [count, consistentCount] = [10_000_000, 3_333_333];
  const many = [10, 1000, 1000];
  const place = new Float32Array(count);
  for (let i = 0; i < count; i++) place[i] = (i * 7919) % count;
  const gamma = solveGamma({
    confidence: input("place", { dtype: "float32", shape: many }),
    consistent: input("consistent", { dtype: "bool", shape: many }),
    valid: input("valid", { dtype: "bool", shape: many }),
  });
  const result = await evaluateOnce(
    { gamma },
    {
      place: float32(many, place),
      consistent: hostTensor("bool", many, new Uint8Array(count).fill(1, 0, consistentCount)),
      valid: hostTensor("bool", many, new Uint8Array(count).fill(1)),
    },
  );
  expect(floats(result.gamma, "gamma")[0]).toBe(count - consistentCount);
});

test("G-4: where nothing is consistent, γ is the largest confidence and only pixels that reach it are certain", async () => {
  const batch = example([]).map((one) => ({ ...one, consistent: false, confidence: Math.min(one.confidence, 0.9) }));
  const { gamma, certain } = await solved(batch, { kind: "gamma" });
  expect(gamma).toBe(fround(0.9));
  expect(certain.map((yes, i) => (yes ? i : -1)).filter((i) => i >= 0)).toEqual([36, 37, 38, 39]);
});

test("G-7: nothing flows back through γ or the masks", async () => {
  const { gamma, weight } = certainty(pixels, { kind: "soft" }, constant(float32([CLASSES], previous)));
  const total: Value = sum(weight);
  const slopes = [
    ...gradients(gamma, [pixels.confidence, pixels.peak]),
    ...gradients(total, [pixels.confidence, pixels.peak]),
  ];
  const result = await evaluateOnce(Object.fromEntries(slopes.map((slope, i) => [`d${i}`, slope])), {});
  for (const slope of Object.values(result)) expect(floats(slope, "slope").every((x) => x === 0)).toBe(true);
});

describe("G-9: per-class thresholds", () => {
  test("leave in each predicted class as many certain as consistent", () =>
    fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const { perClass, certain } = await solved(batch, { kind: "per-class" });
        perClass.forEach((gamma, id) => {
          const mine = batch.map((one) => ({ ...one, valid: one.valid && one.predicted === id }));
          const any = mine.some((one) => one.valid);
          expect(gamma).toBe(any ? byTheBook(mine) : fround(previous[id]!));
          mine.forEach((one, i) => {
            if (one.valid) expect(certain[i]).toBe(fround(one.confidence) >= gamma);
          });
        });
      }),
      { numRuns: 100, seed: 7 },
    ));

  test("keep the previous one where nothing was predicted as the class", async () => {
    const { perClass } = await solved(
      example([]).map((one) => ({ ...one, predicted: 1 })),
      { kind: "per-class" },
    );
    expect([perClass[0], perClass[2]]).toEqual([previous[0], previous[2]]);
    expect(perClass[1]).not.toBe(previous[1]);
  });
});

test("G-10: soft weights run from 0 for the least sure to 1 for the surest, and are all 1 where all are equal", async () => {
  const { weight } = await solved(example([{}, { valid: false }]), { kind: "soft" });
  expect(weight[0]).toBe(0);
  expect(weight[1]).toBe(0);
  expect(weight.at(-1)).toBe(1);
  expect(weight[20]).toBeCloseTo(20 / 39, 5);
  const flat = await solved(
    example([]).map((one) => ({ ...one, peak: 0.25 })),
    { kind: "soft" },
  );
  expect(flat.weight.every((w) => w === 1)).toBe(true);
});

test("G-11: without a filter every valid pixel counts", async () => {
  const { certain, weight } = await solved(example([{ valid: false }]), { kind: "none" });
  expect(certain.filter(Boolean)).toHaveLength(COUNT - 1);
  expect(weight.reduce((a, b) => a + b)).toBe(COUNT - 1);
});

test("AB-11: a constant share of the pixels is certain, however many are consistent", async () => {
  for (const consistent of [true, false]) {
    const batch = example([]).map((one) => ({ ...one, consistent }));
    const { certain } = await solved(batch, { kind: "constant", share: 0.6 });
    expect(certain.filter(Boolean)).toHaveLength(24);
  }
});
