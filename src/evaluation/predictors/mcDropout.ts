import type { Value } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import { WholeImages } from "../../inference/wholeImages.js";
import { dropoutDraws, dropoutNoise } from "../../methods/baselines/mcDropout.js";
import type { Average } from "../../methods/parts/baselineOptions.js";
import { mirroredTo } from "../../networks/models/anySize.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { DrawsPredictor, type DrawsWanted } from "./draws.js";
import type { Entry, Prediction, Predictor } from "./predictor.js";

/** A line of MC dropout: which network's draws, how many, and what is made of them. */
export interface DropoutEntry extends Entry, DrawsWanted {
  readonly network: InferenceNetwork;
}

/** PE and MI of draws of MC dropout; entries with the same network share their draws. */
export function mcDropoutPredictor(
  runtime: Runtime,
  entries: readonly DropoutEntry[],
  { average, seed }: { readonly average: Average; readonly seed: number },
): Predictor {
  const voters = [...new Set(entries.map(({ network }) => network))].map((network) => {
    const own = entries.filter((entry) => entry.network === network);
    const most = Math.max(...own.map(({ draws }) => draws));
    return {
      own,
      drawn: new Drawn(runtime, network, most, seed),
      predictor: new DrawsPredictor(runtime, average, own),
    };
  });
  return {
    entries,
    batchSize: 1,
    async predict(images) {
      const predictions: Prediction[][] = [];
      for (const image of images) {
        const byEntry = new Map<Entry, Prediction>();
        for (const { own, drawn, predictor } of voters) {
          const found = await predictor.predict(await drawn.logits(image), image);
          for (const [i, entry] of own.entries()) byEntry.set(entry, found[i]!);
        }
        predictions.push(entries.map((entry) => byEntry.get(entry)!));
      }
      return predictions;
    },
    async close() {
      for (const { drawn, predictor } of voters) await Promise.all([drawn.close(), predictor.close()]);
    },
  };
}

/** The draws of one network, for images of any size. The same noise for all of them: it has no height and width. */
class Drawn {
  readonly #images: WholeImages;

  constructor(runtime: Runtime, { network, weights }: InferenceNetwork, draws: number, seed: number) {
    const noise: Record<string, HostTensor> = {};
    const forward = (images: Value): Record<string, Value> => {
      const drawn = dropoutDraws(network, mirroredTo(images), draws);
      Object.assign(noise, dropoutNoise(drawn.noises, seed));
      return { logits: drawn.logits };
    };
    this.#images = new WholeImages(runtime, forward, () => ({ ...weights, ...noise }));
  }

  /** [T, K, h, w] */
  async logits(image: Parameters<WholeImages["run"]>[0][number]): Promise<HostTensor> {
    return (await this.#images.run([image])).logits!;
  }

  close(): Promise<void> {
    return this.#images.close();
  }
}
