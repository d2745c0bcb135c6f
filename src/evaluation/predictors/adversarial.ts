import { DEVIATION, imagesTensor, type RgbImage } from "../../data/images/tensors.js";
import type { Value } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { cropMap } from "../../inference/scored.js";
import { WholeImages } from "../../inference/wholeImages.js";
import { changed, rising } from "../../methods/baselines/adversarial.js";
import type { NetworkOutputs, Score } from "../../methods/parts/networkOutputs.js";
import { mirroredTo } from "../../networks/models/anySize.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { asBytes, type Entry, type Prediction, type Predictor } from "./predictor.js";

/** An adversarial method with its settings but for ε. */
export interface Adversary {
  /** The scalar that a step lowers. */
  objective(outputs: NetworkOutputs): Value;
  /** Of the changed image. */
  readonly score: Score;
}

export interface AdversarialEntry extends Entry {
  readonly adversary: Adversary;
  readonly epsilon: number;
}

/** Methods on images changed to lower the network's uncertainty: entries with the same objective share the backward pass. */
export function adversarialPredictor(
  runtime: Runtime,
  network: InferenceNetwork,
  entries: readonly AdversarialEntry[],
): Predictor {
  const steps = new Map(
    [...new Set(entries.map(({ adversary }) => adversary))].map((adversary) => [
      adversary,
      new AdversarialSteps(runtime, network, adversary),
    ]),
  );
  return {
    entries,
    batchSize: 1,
    async predict(images) {
      const predictions: Prediction[][] = [];
      for (const image of images) {
        const byEntry = new Map<Entry, Prediction>();
        for (const [adversary, step] of steps) {
          const own = entries.filter((entry) => entry.adversary === adversary);
          for (const [i, one] of (await step.predict(image, own)).entries()) byEntry.set(own[i]!, one);
        }
        predictions.push(entries.map((entry) => byEntry.get(entry)!));
      }
      return predictions;
    },
    async close() {
      for (const step of steps.values()) await step.close();
    },
  };
}

/** One forward and backward pass for the direction, then one forward pass for each step size. */
class AdversarialSteps {
  readonly #there: WholeImages;
  readonly #again: WholeImages;

  constructor(runtime: Runtime, { forward, weights }: InferenceNetwork, { objective, score }: Adversary) {
    this.#there = new WholeImages(
      runtime,
      (images) => {
        const answers = forward(mirroredTo(images));
        return {
          predicted: cropMap(answers.predicted, images),
          direction: rising(images, objective(answers), DEVIATION),
        };
      },
      weights,
    );
    this.#again = new WholeImages(
      runtime,
      (images) => ({ uncertainty: cropMap(score(forward(mirroredTo(images))).uncertainty, images) }),
      weights,
    );
  }

  async predict(image: RgbImage, steps: readonly { readonly epsilon: number }[]): Promise<Prediction[]> {
    const images = imagesTensor([image]);
    const { predicted, direction } = await this.#there.runOn(images);
    // The class stays that of the untouched image.
    const classes = asBytes(predicted!);
    const predictions: Prediction[] = [];
    for (const { epsilon } of steps) {
      const { uncertainty } = await this.#again.runOn(changed(images, direction!, epsilon));
      predictions.push({ predicted: classes, uncertainty: floats(uncertainty, "uncertainty") });
    }
    return predictions;
  }

  async close(): Promise<void> {
    await Promise.all([this.#there.close(), this.#again.close()]);
  }
}
