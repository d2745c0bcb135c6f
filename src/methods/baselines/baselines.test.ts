import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { input } from "../../engine/graph/value.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import type { OnePassMethod, Settings } from "../parts/method.js";
import { networkOutputs } from "../parts/networkOutputs.js";
import { energy } from "./energy.js";
import { entropy } from "./entropy.js";
import { maxLogit } from "./maxLogit.js";
import { maxSoftmax } from "./maxSoftmax.js";

/** The same three scores at each of four pixels, so that enlarging them changes nothing. */
async function scoreOf(
  method: OnePassMethod,
  scores: readonly number[],
  settings: Settings = {},
): Promise<{ predicted: number; uncertainty: number }> {
  const logits = input("logits", { dtype: "float32", shape: [1, 3, 2, 2] });
  const features = input("features", { dtype: "float32", shape: [1, 3, 2, 2] });
  const outputs = method.score(networkOutputs({ logits, features }), {}, settings);
  const flat = float32(
    [1, 3, 2, 2],
    scores.flatMap((score) => [score, score, score, score]),
  );
  const { predicted, uncertainty } = await evaluateOnce({ ...outputs }, { logits: flat });
  expect([predicted!.shape, uncertainty!.shape]).toEqual([
    [1, 8, 8],
    [1, 8, 8],
  ]);
  return { predicted: Number(predicted!.data[0]), uncertainty: floats(uncertainty, "uncertainty")[0]! };
}

const scores = [Math.log(1), Math.log(6), Math.log(3)]; // probabilities 0.1, 0.6, 0.3

test("B-5: max-softmax is one minus the largest probability; a temperature flattens it", async () => {
  expect(await scoreOf(maxSoftmax, scores, { temperature: 1 })).toEqual({
    predicted: 1,
    uncertainty: expect.closeTo(0.4, 5),
  });
  const flat = Math.sqrt(6) / (1 + Math.sqrt(6) + Math.sqrt(3));
  const { uncertainty } = await scoreOf(maxSoftmax, scores, { temperature: 2 });
  expect(uncertainty).toBeCloseTo(1 - flat, 5);
});

test("max-logit is the largest score, turned round", async () => {
  expect(await scoreOf(maxLogit, scores)).toEqual({ predicted: 1, uncertainty: expect.closeTo(-Math.log(6), 5) });
});

test("energy is minus the logarithm of the summed exponentials", async () => {
  expect(await scoreOf(energy, scores)).toEqual({ predicted: 1, uncertainty: expect.closeTo(-Math.log(10), 5) });
});

test("entropy is that of the probabilities, in nats, and log K where all are equal", async () => {
  const wanted = -[0.1, 0.6, 0.3].reduce((total, p) => total + p * Math.log(p), 0);
  expect(await scoreOf(entropy, scores)).toEqual({ predicted: 1, uncertainty: expect.closeTo(wanted, 5) });
  expect((await scoreOf(entropy, [2, 2, 2])).uncertainty).toBeCloseTo(Math.log(3), 5);
});
