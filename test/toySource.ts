import { constant } from "../src/engine/graph/value.js";
import { conv2d } from "../src/engine/ops/conv.js";
import { cut } from "../src/engine/ops/shaping.js";
import { float32, floats, type HostTensor, hostTensor } from "../src/engine/tensor/hostTensor.js";
import { usualBaselines } from "../src/methods/parts/baselineOptions.js";
import type { FitContext, Fitted, LabelledOutputs } from "../src/methods/parts/fitting.js";
import { type OnePassMethod, settingsOf } from "../src/methods/parts/method.js";
import { type NetworkOutputs, networkOutputs, type Score } from "../src/methods/parts/networkOutputs.js";
import { evaluateOnce } from "./expectGradient.js";
import { keyedLabels, keyedUniform } from "./fixtures/torch/keyed.js";

/** One image as a network saw it: features [1, F, h, w], and the truth at four times the size, int64 [1, H, W]. */
export interface SeenImage {
  readonly features: HostTensor;
  readonly labels: HostTensor;
}

/** A method fitted on some images, as evaluation does it: one program a pass. */
export async function fitOn(method: OnePassMethod, context: FitContext, images: Iterable<SeenImage>): Promise<Fitted> {
  const all = [...images];
  const fitting = method.fit!(context);
  for (let pass = fitting.next(); pass !== null; pass = fitting.next()) {
    for (const image of all) {
      pass.add(await evaluateOnce(pass.measure(labelledOutputs(image, context)), {}));
    }
  }
  return fitting.finish();
}

/** What a head says about features. */
export function answersFor(features: HostTensor, { head }: Pick<FitContext, "head">): NetworkOutputs {
  const x = constant(features);
  return networkOutputs({ features: x, logits: conv2d(x, constant(head.weight), {}, constant(head.bias)) });
}

/** The same, with the truth beside it. */
export const labelledOutputs = (
  { features, labels }: SeenImage,
  setting: Pick<FitContext, "head">,
): LabelledOutputs => ({
  ...answersFor(features, setting),
  ...truth(labels),
});

function truth(labels: HostTensor): Pick<LabelledOutputs, "labels" | "cells"> {
  const [, height, width] = labels.shape as [number, number, number];
  const all = constant(labels);
  const cells = cut(all, [
    { axis: 1, start: 0, end: height, step: 4 },
    { axis: 2, start: 0, end: width, step: 4 },
  ]);
  return { labels: all, cells };
}

/** The uncertainty of every pixel of an image. */
export async function uncertaintyOf(score: Score, answers: NetworkOutputs): Promise<Float32Array> {
  const { uncertainty } = await evaluateOnce({ uncertainty: score(answers).uncertainty }, {});
  return floats(uncertainty, "uncertainty");
}

/** A fitted method with each of its settings. */
export const scoresOf = (method: OnePassMethod, fitted: Fitted["tensors"], options = usualBaselines): Score[] =>
  settingsOf(method, { options, fitted, basis: {} }).map(
    (settings) => (outputs) => method.score(outputs, fitted, settings),
  );

/** The source that test/fixtures/sklearn/make_baselines.py draws: three images, four classes, of which one never occurs. */
export const recorded = { features: 6, classes: 4, seen: 3, rows: 8, columns: 10, images: 3, stride: 4 } as const;

const { features: F, classes: K, rows: h, columns: w, stride } = recorded;
const offsets = keyedUniform("baselines/offsets", [K, F], -2, 2);

export const recordedSetting: FitContext = {
  classes: ["road", "sky", "car", "train"],
  features: F,
  head: {
    weight: float32(
      [K, F, 1, 1],
      keyedUniform("baselines/weight", [K, F], -0.5, 0.5).map((value, i) => value + offsets[i]! / 4),
    ),
    bias: float32([K], keyedUniform("baselines/bias", [K], -0.5, 0.5)),
  },
  seed: 0,
};

export function recordedImage(name: string, spread: number): SeenImage {
  const labels = keyedLabels(`${name}/labels`, [1, h * stride, w * stride], { classes: recorded.seen, block: stride });
  const noise = keyedUniform(`${name}/features`, [F, h * w], -spread, spread);
  const features = noise.map((value, i) => {
    const [f, cell] = [Math.floor(i / (h * w)), i % (h * w)];
    const label = Number(labels[Math.floor(cell / w) * stride * w * stride + (cell % w) * stride]);
    return label === 255 ? value : value + offsets[label * F + f]!;
  });
  return {
    features: float32([1, F, h, w], features),
    labels: hostTensor("int64", [1, h * stride, w * stride], labels),
  };
}

export const recordedSource = (): SeenImage[] =>
  Array.from({ length: recorded.images }, (_, i) => recordedImage(`baselines/source${i}`, 1));

/** Every seventh pixel, as they are recorded. */
export const everySeventh = (values: ArrayLike<number>): number[] => Array.from(values).filter((_, i) => i % 7 === 0);
