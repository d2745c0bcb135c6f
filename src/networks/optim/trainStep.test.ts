import { describe, expect, test } from "vitest";
import { input } from "../../engine/graph/value.js";
import { add, mul } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { filledWith } from "../layers/init.js";
import { Scope } from "../layers/scope.js";
import { sgd } from "./optimiser.js";
import { Stepper } from "./stepper.js";
import { type TrainStepOptions, trainStep } from "./trainStep.js";

/** Two weights whose gradients are fed: 3 and 4 have a joint length of 5. */
function twoWeights(): Pick<TrainStepOptions, "loss" | "params"> {
  const scope = new Scope();
  const params = [scope.param("body.weight", [1], filledWith(10)), scope.param("head.weight", [1], filledWith(10))];
  const slopes = params.map((_, i) => input(`slope${i}`, { dtype: "float32", shape: [1] }));
  const loss = sum(mul(params[0]!.value, slopes[0]!));
  const both = sum(mul(params[1]!.value, slopes[1]!));
  return { loss: add(loss, both), params };
}

async function oneStep(
  options: Partial<TrainStepOptions>,
  rate = 1,
): Promise<{ weights: number[]; norm: number | undefined }> {
  const { loss, params } = twoWeights();
  const step = trainStep({ loss, params, optimiser: sgd({ momentum: 0.9 }), ...options });
  const stepper = await Stepper.open(nodeRuntime(), step, { seed: 0 });
  const measured = await stepper.run({ slope0: float32([1], [3]), slope1: float32([1], [4]) }, rate);
  await stepper.close();
  const state = await stepper.state();
  const weights = params.map(({ path }) => floats(state[path], path)[0]!);
  return { weights, norm: measured.gradientNorm && floats(measured.gradientNorm, "norm")[0]! };
}

test("gradients are clipped together to a joint length", async () => {
  const { weights, norm } = await oneStep({ clipNorm: 1 });
  expect(norm).toBeCloseTo(5, 5);
  expect(weights[0]).toBeCloseTo(10 - 3 / 5, 5);
  expect(weights[1]).toBeCloseTo(10 - 4 / 5, 5);
});

test("gradients shorter than the limit are left alone", async () => {
  expect((await oneStep({ clipNorm: 50 })).weights).toEqual([7, 6]);
});

test("groups have their own decay and learning rate", async () => {
  const group: TrainStepOptions["group"] = ({ path }) =>
    path.startsWith("body") ? { weightDecay: 0, learningRateFactor: 0.1 } : { weightDecay: 0.5, learningRateFactor: 1 };
  const { weights } = await oneStep({ group });
  expect(weights[0]).toBeCloseTo(10 - 0.1 * 3, 5);
  expect(weights[1]).toBeCloseTo(10 - (4 + 0.5 * 10), 5);
});

describe("a parameter whose learning rate factor is 0 is frozen:", () => {
  const group: TrainStepOptions["group"] = ({ path }) => ({
    weightDecay: 0.5,
    learningRateFactor: path.startsWith("body") ? 0 : 1,
  });

  test("it stays as it is, without decay, and its gradient is not part of the joint length", async () => {
    const { weights, norm } = await oneStep({ group });
    expect(weights).toEqual([10, 10 - (4 + 0.5 * 10)]);
    expect(norm).toBe(4);
  });

  test("it is carried without an output of the step, and the optimiser has no memory of it", () => {
    const { graph, state } = trainStep({ ...twoWeights(), optimiser: sgd({ momentum: 0.9 }), group });
    expect([...state.keys()].filter((name) => name.includes("body"))).toEqual(["body.weight"]);
    expect(state.get("body.weight")).toMatchObject({ output: null, memory: false });
    expect(state.get("body.weight")!.start(0)).toEqual(float32([1], [10]));
    expect(Object.keys(graph.outputs).filter((name) => name.includes("body"))).toEqual([]);
    expect([...state].filter(([name]) => name.includes("head")).map(([, { memory }]) => memory)).toEqual([false, true]);
  });

  test("what is gathered and does not change is carried the same way", () => {
    const scope = new Scope();
    const [kept, moved] = [scope.state("kept", [1], filledWith(0)), scope.state("moved", [1], filledWith(0))];
    const gathered = new Map([
      [kept, kept.value],
      [moved, add(moved.value, moved.value)],
    ]);
    const { state } = trainStep({ ...twoWeights(), optimiser: sgd({ momentum: 0.9 }), gathered });
    expect([state.get("kept")!.output, state.get("moved")!.output]).toEqual([null, "next.moved"]);
  });
});
