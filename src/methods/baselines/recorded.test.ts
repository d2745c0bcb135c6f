import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { evaluateOnce } from "../../../test/expectGradient.js";
import { keyedUniform } from "../../../test/fixtures/torch/keyed.js";
import {
  answersFor,
  everySeventh,
  fitOn,
  recorded,
  recordedImage,
  recordedSetting,
  recordedSource,
  scoresOf,
  uncertaintyOf,
} from "../../../test/toySource.js";
import { constant, input, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { relu } from "../../engine/ops/elementwise.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { usualBaselines } from "../parts/baselineOptions.js";
import type { AdversarialMethod, AdversarialSettings, OnePassMethod } from "../parts/method.js";
import { type NetworkOutputs, networkOutputs } from "../parts/networkOutputs.js";
import { changed, rising } from "./adversarial.js";
import { disagreement } from "./disagreement.js";
import { gaussianMixture } from "./gaussianMixture.js";
import { klMatching } from "./klMatching.js";
import { mahalanobis } from "./mahalanobis.js";
import { mahalanobisAdversarial } from "./mahalanobisAdversarial.js";
import { nearestNeighbours } from "./nearestNeighbours.js";
import { odin } from "./odin.js";
import { react } from "./react.js";
import { temperatureScaling } from "./temperatureScaling.js";
import { vim } from "./vim.js";

/** scikit-learn, SciPy and PyTorch on the same numbers: test/fixtures/sklearn/make_baselines.py. */
const wanted = JSON.parse(readFileSync("test/fixtures/sklearn/baselines.json", "utf8")) as {
  mahalanobis: number[];
  gmm: { shares: number[]; even: number[] };
  vim: { alpha: number; u: number[] };
  kl: number[];
  knn: Record<string, number[]>;
  react: { limit: number; u: number[] };
  temperature: { value: number; u: number[] };
  odin: { u: number[]; clean: number[] };
  mahalanobisA: { u: number[] };
  draws: {
    pe: number[];
    mi: number[];
    predicted: number[];
    logit: { pe: number[]; predicted: number[] };
  };
};

const answers = answersFor(recordedImage("baselines/test", 4).features, recordedSetting);

/** Fit a method on the recorded source and score the recorded image with one of its settings. */
async function scored(
  method: OnePassMethod,
  { setting = 0, options = usualBaselines } = {},
): Promise<{ u: number[]; learned: Tensors; remarks: string }> {
  const { tensors, remarks } = await fitOn(method, recordedSetting, recordedSource());
  const u = await uncertaintyOf(scoresOf(method, tensors, options)[setting]!, answers);
  return { u: everySeventh(u), learned: tensors, remarks: remarks.join("\n") };
}

function expectClose(found: readonly number[], wanted: readonly number[], tolerance = 2e-4): void {
  expect(found.length).toBe(wanted.length);
  const level = Math.max(...wanted.map(Math.abs));
  const worst = Math.max(...found.map((value, i) => Math.abs(value - wanted[i]!) / level));
  expect(worst).toBeLessThan(tolerance);
}

test("B-7: Mahalanobis distances are those of scikit-learn's covariance, and a class without pixels is named", async () => {
  const { u, remarks } = await scored(mahalanobis);
  expectClose(u, wanted.mahalanobis);
  expect(remarks).toBe("no pixel of train in the source: left out");
});

test("B-10: the densities of the mixture are SciPy's, with and without the shares of the classes", async () => {
  expectClose(
    (await scored(gaussianMixture, { options: { ...usualBaselines, prior: "shares" } })).u,
    wanted.gmm.shares,
  );
  expectClose((await scored(gaussianMixture, { options: { ...usualBaselines, prior: "even" } })).u, wanted.gmm.even);
});

test("B-9: ViM has NumPy's residual space and α, and orders pixels as the virtual class's probability does", async () => {
  const { u, learned } = await scored(vim);
  expect(floats(learned.alpha, "alpha")[0]).toBeCloseTo(wanted.vim.alpha, 4);
  expectClose(u, wanted.vim.u);
});

test("KL matching is SciPy's relative entropy to the nearest template", async () => {
  expectClose((await scored(klMatching)).u, wanted.kl);
});

test("the k-th neighbour is scikit-learn's", async () => {
  for (const [setting, k] of [
    [0, "10"],
    [1, "1"],
    [2, "5"],
  ] as const)
    expectClose((await scored(nearestNeighbours, { setting })).u, wanted.knn[k]!);
});

test("ReAct cuts activations at the source's percentile, then takes the energy", async () => {
  const { u, learned } = await scored(react);
  expect(floats(learned.limits, "limits")[0]).toBeCloseTo(wanted.react.limit, 6);
  expectClose(u, wanted.react.u);
});

test("the temperature of least surprise is SciPy's minimum", async () => {
  const { u, learned } = await scored(temperatureScaling);
  expect(floats(learned.temperature, "temperature")[0]).toBeCloseTo(wanted.temperature.value, 3);
  expectClose(u, wanted.temperature.u, 5e-4);
});

/** One convolution and the recorded head, on an image of four times the size. */
const imageShape = [1, 3, recorded.rows * recorded.stride, recorded.columns * recorded.stride];
const image = float32(imageShape, keyedUniform("baselines/picture", imageShape, -2, 2));
const filters = float32(
  [recorded.features, 3, 3, 3],
  keyedUniform("baselines/filters", [recorded.features, 27], -0.5, 0.5),
);
function forward(images: Value): NetworkOutputs {
  const features = relu(conv2d(images, constant(filters), { stride: recorded.stride, padding: 1 }));
  const { weight, bias } = recordedSetting.head;
  return networkOutputs({ features, logits: conv2d(features, constant(weight), {}, constant(bias)) });
}

/** The uncertainty of the image after a step down the objective. */
async function afterStep<S extends AdversarialSettings>(
  { objective, basis }: AdversarialMethod<S>,
  settings: S,
  fitted: Tensors = {},
): Promise<number[]> {
  const images = input("images", { dtype: "float32", shape: imageShape });
  const direction = rising(images, objective(forward(images), fitted, settings), [0.229, 0.224, 0.225]);
  const found = await evaluateOnce({ direction }, { images: image });
  const outputs = forward(constant(changed(image, found.direction!, settings.epsilon)));
  return everySeventh(await uncertaintyOf((one) => basis.score(one, fitted, settings), outputs));
}

test("B-6: ODIN takes PyTorch's step down its uncertainty, and none where ε is 0", async () => {
  expectClose(await afterStep(odin, { temperature: 10, epsilon: 0.02 }), wanted.odin.u);
  expectClose(await afterStep(odin, { temperature: 10, epsilon: 0 }), wanted.odin.clean);
});

test("B-8: the Mahalanobis distance after PyTorch's step towards the nearest class", async () => {
  const { tensors } = await fitOn(mahalanobis, recordedSetting, recordedSource());
  expectClose(await afterStep(mahalanobisAdversarial, { epsilon: 0.02 }, tensors), wanted.mahalanobisA.u);
});

test("B-2: predictive entropy and mutual information of five draws; averaging logits changes PE and the class", async () => {
  const { classes: k, rows, columns } = recorded;
  const drawn = Array.from({ length: 5 }, (_, t) => [
    ...keyedUniform(`baselines/draw${t}`, [k, rows * columns], -3, 3),
  ]);
  const logits = constant(float32([5, k, rows, columns], drawn.flat()));
  const byProbability = await evaluateOnce({ ...disagreement(logits, "probabilities") }, {});
  const byLogit = await evaluateOnce({ ...disagreement(logits, "logits") }, {});
  const map = (tensors: Tensors, name: string): number[] => everySeventh(Array.from(tensors[name]!.data, Number));
  expectClose(map(byProbability, "predictiveEntropy"), wanted.draws.pe);
  expectClose(map(byProbability, "mutualInformation"), wanted.draws.mi);
  expect(map(byProbability, "predicted")).toEqual(wanted.draws.predicted);
  expectClose(map(byLogit, "predictiveEntropy"), wanted.draws.logit.pe);
  expectClose(map(byLogit, "mutualInformation"), wanted.draws.mi);
  expect(map(byLogit, "predicted")).toEqual(wanted.draws.logit.predicted);
});
