import { beforeAll, expect, test } from "vitest";
import { evaluateOnce, relativeDistance } from "../../../test/expectGradient.js";
import { input } from "../../engine/graph/value.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { Scope } from "../../networks/layers/scope.js";
import { DeepLab } from "../../networks/models/deeplab.js";
import { startOf } from "../../networks/optim/trainStep.js";
import { disagreement } from "./disagreement.js";
import { dropoutDraws, dropoutNoise } from "./mcDropout.js";

const DRAWS = 4;
const scope = new Scope();
const network = new DeepLab(scope, { classes: 5, width: 0.125, features: 16, encoderDropout: 0.2 });
const weights: Tensors = Object.fromEntries(scope.params.map((param) => [param.path, startOf(param)(3)]));
const image = (n: number) => input("images", { dtype: "float32", shape: [n, 3, 32, 48] });
const draw = random("images");
const pixels = Float32Array.from({ length: 2 * 3 * 32 * 48 }, draw.normal);
const feed = (n: number): Tensors => ({ images: float32([n, 3, 32, 48], pixels.slice(0, n * 3 * 32 * 48)) });

async function logits(sharing: "cached" | "plain", n = 1, seed = 0): Promise<Float32Array> {
  const drawn = dropoutDraws(network, image(n), DRAWS, sharing);
  const found = await evaluateOnce(
    { logits: drawn.logits },
    { ...weights, ...feed(n), ...dropoutNoise(drawn.noises, seed) },
  );
  return floats(found.logits, "logits");
}

let cached: Float32Array;
beforeAll(async () => {
  cached = await logits("cached");
});

test("B-1: draws that share what comes before the first dropout are those that do not", async () => {
  expect(relativeDistance(cached, await logits("plain"))).toBeLessThan(1e-5);
  expect(relativeDistance(await logits("cached", 2), await logits("plain", 2))).toBeLessThan(1e-5);
});

test("B-1: draws differ, also from the network at rest; the same seed draws the same", async () => {
  const each = Array.from({ length: DRAWS }, (_, t) =>
    cached.slice((t * cached.length) / DRAWS, ((t + 1) * cached.length) / DRAWS),
  );
  const resting = await evaluateOnce(
    { logits: network.head(network.features(image(1), inferencePass), inferencePass) },
    { ...weights, ...feed(1) },
  );
  const all = [...each, floats(resting.logits, "logits")];
  for (const [i, one] of all.entries())
    for (const other of all.slice(i + 1)) expect(relativeDistance(one, other)).toBeGreaterThan(0.01);
  expect(await logits("cached")).toEqual(cached);
  expect(await logits("cached", 1, 1)).not.toEqual(cached);
});

test("B-2: the draws of dropout disagree: MI is never negative, and above zero somewhere", async () => {
  const drawn = dropoutDraws(network, image(1), DRAWS);
  const { predictiveEntropy, mutualInformation } = await evaluateOnce(
    { ...disagreement(drawn.logits, "probabilities") },
    { ...weights, ...feed(1), ...dropoutNoise(drawn.noises, 0) },
  );
  const [pe, mi] = [floats(predictiveEntropy, "PE"), floats(mutualInformation, "MI")];
  expect(pe.length).toBe(32 * 48);
  expect(Math.min(...mi)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...mi)).toBeGreaterThan(1e-4);
  expect(mi.every((value, i) => value <= pe[i]! + 1e-6)).toBe(true);
});

test("B-2: draws that agree have no mutual information, however unsure, and certainty far beyond float32 is not NaN", async () => {
  const same = input("logits", { dtype: "float32", shape: [3, 4, 2, 2] });
  const of = async (values: readonly number[]) =>
    evaluateOnce(
      { ...disagreement(same, "probabilities") },
      {
        logits: float32(
          [3, 4, 2, 2],
          Array.from({ length: 48 }, (_, i) => values[Math.floor(i / 4) % 4]!),
        ),
      },
    );
  const unsure = await of([0.1, 0.2, 0.3, 0.4]);
  expect(Math.max(...floats(unsure.mutualInformation, "MI"))).toBeLessThan(1e-6);
  const sure = await of([500, 0, -500, 0]);
  const doubts = [...floats(sure.predictiveEntropy, "PE"), ...floats(sure.mutualInformation, "MI")];
  for (const u of doubts) expect(u).toBeCloseTo(0, 9);
});
