import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateOnce, expectGradient } from "../../../test/expectGradient.js";
import { MANY } from "../../../test/shapes.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { argmax, l2Normalise } from "../../engine/ops/reduce.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { storedPrototypes } from "./prototypes.js";
import { type Score, scores } from "./score.js";
import { confidence, sharpened, similarities, TEMPERATURE } from "./segmentation.js";
import { classProbabilities, probabilitiesWithUnknown, segmentation } from "./testing/equations.js";

/** East, north, and a class never seen. */
const prototypes = storedPrototypes(constant(float32([2, 3], [1, 0, 0, 0, 1, 0])));
const embeddings = (...points: readonly (readonly [number, number])[]): Value =>
  constant(float32([1, 2, 1, points.length], [...points.map(([x]) => x), ...points.map(([, y]) => y)]));
const listed = async (y: Value): Promise<number[]> =>
  [...floats((await evaluateOnce({ y }, {})).y, "y")].map((x) => Number(x.toFixed(5)));

test("P-3: scores are cosines", async () => {
  const scores = await listed(similarities(embeddings([1, 0], [0.6, 0.8]), prototypes));
  expect(scores.slice(0, 4)).toEqual([1, 0.6, 0, 0.8]);
});

test("P-9: a class never seen is never predicted, even where every other prototype is opposite", async () => {
  const scores = similarities(embeddings([-Math.SQRT1_2, -Math.SQRT1_2]), prototypes);
  expect((await listed(scores))[2]).toBe(-2); // a column of zeros alone would have similarity 0, and win
  const { y } = await evaluateOnce({ y: argmax(upsampleScores(sharpened(scores, TEMPERATURE)), 1) }, {});
  expect([...y!.data].every((id) => id !== 2n)).toBe(true);
  const chance = await listed(classProbabilities(sharpened(scores, TEMPERATURE)));
  expect(chance[2]).toBe(0);
});

test("P-4: scores are enlarged before any softmax or maximum", async () => {
  // Between east and north the enlarged scores are (0.5, 0.5); enlarged probabilities would not be softmax of anything.
  const scores = sharpened(similarities(embeddings([1, 0], [0, 1]), prototypes), TEMPERATURE);
  const wide = await listed(classProbabilities(upsampleScores(scores)));
  const [width, pixels] = [8, 4 * 8];
  const middle = [wide[3]!, wide[4]!, wide[pixels + 3]!, wide[pixels + 4]!];
  const atThree = 1 / (1 + Math.exp((3 / 7 - 4 / 7) / TEMPERATURE));
  expect(middle[0]).toBeCloseTo(atThree, 4);
  expect(middle[1]).toBeCloseTo(1 - atThree, 4);
  expect(middle[2]! + middle[0]!).toBeCloseTo(1, 4);
  expect(wide[width - 1]).toBeLessThan(1e-5);
});

test("P-5, P-6: a softmax at temperature 0.07, with γ as the score of one more class", async () => {
  const sharp = sharpened(similarities(embeddings([0.8, 0.6]), prototypes), TEMPERATURE);
  const odds = [0.8, 0.6, -2, 0.7].map((score) => Math.exp(score / TEMPERATURE));
  const share = (among: readonly number[]) => among.map((one) => one / among.reduce((a, b) => a + b));
  const known = await listed(classProbabilities(sharp));
  share(odds.slice(0, 3)).forEach((wanted, k) => {
    expect(known[k]).toBeCloseTo(wanted, 4);
  });
  const withGamma = await listed(probabilitiesWithUnknown(sharp, constant(float32([], [0.7])), "cosine", TEMPERATURE));
  share(odds).forEach((wanted, k) => {
    expect(withGamma[k]).toBeCloseTo(wanted, 4);
  });
});

const anyScore = fc.constantFrom<number[]>(-0.5, 0, 0.25, 0.5, 1);

test("P-7: certain is where γ is not the largest score, and a tie is certain", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyScore, { minLength: 6, maxLength: 6 }), anyScore, async (scores, gamma) => {
      // A power of two, so that dividing and multiplying by it rounds nothing and ties stay ties.
      const sharp = sharpened(constant(float32([1, 3, 1, 2], scores)), 0.0625);
      const { certain } = segmentation(sharp, constant(float32([], [gamma])), "cosine", 0.0625);
      const { y } = await evaluateOnce({ y: certain }, {});
      const wanted = [0, 1].map((i) => {
        const all = [scores[i]!, scores[i + 2]!, scores[i + 4]!, gamma];
        return Number(all.indexOf(Math.max(...all)) !== 3); // argmax(s ⊕ γ) ≠ K + 1
      });
      expect([...y!.data]).toEqual(wanted);
    }),
    MANY,
  );
});

test("P-12, P-13: one pass gives class, similarity, uncertainty, certainty and the K + 1 distribution", async () => {
  const sharp = sharpened(similarities(embeddings([0.6, 0.8], [-1, 0]), prototypes), TEMPERATURE);
  const gamma = constant(float32([], [0.5]));
  const { predicted, similarity, uncertainty, certain, probabilities } = segmentation(sharp, gamma, "cosine");
  const found = await evaluateOnce({ predicted, similarity, uncertainty, certain, probabilities }, {});
  expect([...found.predicted!.data]).toEqual([1n, 1n]);
  expect(floats(found.similarity, "similarity")[0]).toBeCloseTo(0.8, 5);
  expect(floats(found.uncertainty, "uncertainty")[1]).toBeCloseTo(1, 5);
  expect([...found.certain!.data]).toEqual([1, 0]);
  expect(found.probabilities!.shape).toEqual([1, 4, 1, 2]);
  const bySoftmax = segmentation(sharp, gamma, "softmax");
  const chance = 1 / (1 + Math.exp((0.6 - 0.8) / TEMPERATURE));
  expect((await listed(bySoftmax.uncertainty))[0]).toBeCloseTo(1 - chance, 4);
  expect((await listed(bySoftmax.probabilities)).filter((_, i) => i >= 6)).toEqual([0.33333, 0.33333]); // γ / (1 + γ)
});

/** Eq. 4 of one pixel, in double precision: similarities to the K prototypes -> K + 1 probabilities. */
function withUnknown(similarities: readonly number[], gamma: number, score: Score): number[] {
  const known = similarities.map((one) => Math.exp(one / TEMPERATURE));
  const all = known.reduce((a, b) => a + b);
  const unknown = score === "cosine" ? Math.exp(gamma / TEMPERATURE) : gamma * all;
  return [...known, unknown].map((weight) => weight / (all + unknown));
}

describe.each(scores)("Eq. 4, scored by %s:", (score) => {
  const PIXELS = 4;
  const cosine = fc.double({ min: -1, max: 1, noNaN: true });
  const maps = fc.array(cosine, { minLength: 3 * PIXELS, maxLength: 3 * PIXELS });
  const thresholds = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  const pixelsOf = (values: readonly number[]): number[][] =>
    Array.from({ length: PIXELS }, (_, i) => values.filter((_value, at) => at % PIXELS === i));

  test("the K + 1 probabilities are those of the formula", () =>
    fc.assert(
      fc.asyncProperty(maps, thresholds, async (values, gamma) => {
        const sharp = sharpened(constant(float32([1, 3, 2, 2], values)), TEMPERATURE);
        const y = probabilitiesWithUnknown(sharp, constant(float32([], [gamma])), score, TEMPERATURE);
        expect(y.shape).toEqual([1, 4, 2, 2]);
        const found = pixelsOf([...floats((await evaluateOnce({ y }, {})).y, "y")]);
        pixelsOf(values).forEach((similarities, i) => {
          withUnknown(similarities, gamma, score).forEach((wanted, k) => {
            expect(Math.abs(found[i]![k]! - wanted)).toBeLessThan(1e-5);
          });
        });
      }),
      MANY,
    ));

  test("the last class is the largest exactly where M_γ is 0", () =>
    fc.assert(
      fc.asyncProperty(maps, thresholds, async (values, gamma) => {
        const sharp = sharpened(constant(float32([1, 3, 2, 2], values)), TEMPERATURE);
        const { certain, probabilities } = segmentation(sharp, constant(float32([], [gamma])), score);
        const sure = confidence(sharp, score, TEMPERATURE);
        const found = await evaluateOnce({ sure, certain, largest: argmax(probabilities, 1) }, {});
        // Where both are equal but for rounding, either answer is right.
        const apart = [...floats(found.sure, "sure")].map((value) => Math.abs(value - gamma) > 1e-5);
        const of = (name: "certain" | "largest") => [...found[name]!.data].map(Number).filter((_, i) => apart[i]);
        expect(of("largest").map((id) => Number(id !== 3))).toEqual(of("certain"));
      }),
      MANY,
    ));

  test("known classes keep their order and their odds, whatever γ is", async () => {
    const sharp = sharpened(constant(float32([1, 3, 1, 1], [0.5, 0.6, 0.4])), TEMPERATURE);
    for (const gamma of [0.1, 0.5, 0.9]) {
      const y = probabilitiesWithUnknown(sharp, constant(float32([], [gamma])), score, TEMPERATURE);
      const [first, second, third] = [...floats((await evaluateOnce({ y }, {})).y, "y")];
      expect(second! / first!).toBeCloseTo(Math.exp(0.1 / TEMPERATURE), 3);
      expect(first! / third!).toBeCloseTo(Math.exp(0.1 / TEMPERATURE), 3);
    }
  });
});

test("P-3: the gradient of similarities agrees with finite differences", () =>
  expectGradient(
    (z, p) => similarities(z!, { vectors: l2Normalise(p!, 0), seen: prototypes.seen }),
    [
      [2, 2, 2, 3],
      [2, 3],
    ],
  ));
