import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import type { RgbImage } from "../data/images/tensors.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { floats } from "../engine/tensor/hostTensor.js";
import { fitOnSource } from "../inference/fitOnSource.js";
import { scoredBy } from "../inference/scored.js";
import { WholeImages } from "../inference/wholeImages.js";
import { maxSoftmax } from "../methods/baselines/maxSoftmax.js";
import { gammaSsl, prototypeMethod } from "../methods/gamma-ssl/prototypeMethod.js";
import type { Score } from "../methods/parts/networkOutputs.js";
import type { InferenceNetwork } from "../runs/inferenceNetwork.js";

export interface BranchOptions {
  /** Labelled images that prototypes are made of. */
  readonly source: Dataset;
  /** How many of them. */
  readonly images: number;
}

/** What a branch predicts for an image. */
export interface BranchPrediction {
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
}

/** A network in training over whole images: the branch that predicts after training first, then the head where that is another. */
export class BranchPredictor {
  readonly names: readonly string[];
  readonly #images: WholeImages;

  private constructor(names: readonly string[], images: WholeImages) {
    this.names = names;
    this.#images = images;
  }

  static async open(runtime: Runtime, network: InferenceNetwork, options: BranchOptions): Promise<BranchPredictor> {
    const prototypes = await byPrototypes(runtime, network, options);
    const scores: Record<string, Score> = {
      ...(prototypes !== null && { prototypes }),
      head: (outputs) => maxSoftmax.score(outputs, {}, { temperature: 1 }),
    };
    const images = new WholeImages(runtime, scoredBy(scores, network.forward), network.weights);
    return new BranchPredictor(Object.keys(scores), images);
  }

  /** By name of the branch. */
  async predict(image: RgbImage): Promise<Record<string, BranchPrediction>> {
    const found = await this.#images.run([image]);
    return Object.fromEntries(
      this.names.map((name) => [
        name,
        {
          predicted: Uint8Array.from(found[`${name}.predicted`]!.data, Number),
          uncertainty: floats(found[`${name}.uncertainty`], name),
        },
      ]),
    );
  }

  close(): Promise<void> {
    return this.#images.close();
  }
}

/** Prototypes of the source as a trained model has them (T-10), but of fewer images; null where prototypes do not predict. */
async function byPrototypes(
  runtime: Runtime,
  network: InferenceNetwork,
  { source, images }: BranchOptions,
): Promise<Score | null> {
  const { gammaNetwork, config } = network;
  if (gammaNetwork === null || config.method !== "gamma-ssl" || config.options.branches.query !== "prototypes")
    return null;
  const method = prototypeMethod(gammaSsl, gammaNetwork, config.options);
  const dataset = { ...source, items: evenlySpread(source.items, images) };
  const { tensors } = (await fitOnSource({ runtime, network, dataset }, [method])).get(method.name)!;
  return (outputs) => method.score(outputs, tensors, {});
}
