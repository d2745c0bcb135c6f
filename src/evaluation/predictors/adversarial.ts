import { DEVIATION, imagesTensor, type Picture } from "../../data/images/tensors.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { cropMap } from "../../inference/scored.js";
import { WholeImages } from "../../inference/wholeImages.js";
import { type Adversary, changed, rising } from "../../methods/baselines/adversarial.js";
import { mirroredTo } from "../../networks/models/anySize.js";
import type { RestingNetwork } from "../../runs/restingNetwork.js";
import { asBytes, type Entry, type Prediction, type Predictor } from "./predictor.js";

export interface AdversarialEntry extends Entry {
  readonly adversary: Adversary;
  readonly epsilon: number;
}

/** Methods on pictures changed against the network's doubts: entries with the same adversary share the way back. */
export function adversarialPanel(
  runtime: Runtime,
  network: RestingNetwork,
  entries: readonly AdversarialEntry[],
): Predictor {
  const looks = new Map(
    [...new Set(entries.map(({ adversary }) => adversary))].map((adversary) => [
      adversary,
      new AdversaryLooks(runtime, network, adversary),
    ]),
  );
  return {
    entries,
    batchSize: 1,
    async judge(pictures) {
      const judged: Prediction[][] = [];
      for (const picture of pictures) {
        const said = new Map<Entry, Prediction>();
        for (const [adversary, look] of looks) {
          const own = entries.filter((entry) => entry.adversary === adversary);
          for (const [i, one] of (await look.judge(picture, own)).entries()) said.set(own[i]!, one);
        }
        judged.push(entries.map((entry) => said.get(entry)!));
      }
      return judged;
    },
    async close() {
      for (const look of looks.values()) await look.close();
    },
  };
}

/** One way forward and back for the direction, then one way forward for each step size. */
class AdversaryLooks {
  readonly #there: WholeImages;
  readonly #again: WholeImages;

  constructor(runtime: Runtime, { look, weights }: RestingNetwork, { doubt, scorer }: Adversary) {
    this.#there = new WholeImages(
      runtime,
      (images) => {
        const answers = look(mirroredTo(images));
        return {
          predicted: cropMap(answers.predicted, images),
          direction: rising(images, doubt(answers), DEVIATION),
        };
      },
      weights,
    );
    this.#again = new WholeImages(
      runtime,
      (images) => ({ uncertainty: cropMap(scorer.score(look(mirroredTo(images))).uncertainty, images) }),
      weights,
    );
  }

  async judge(picture: Picture, steps: readonly { readonly epsilon: number }[]): Promise<Prediction[]> {
    const images = imagesTensor([picture]);
    const { predicted, direction } = await this.#there.runOn(images);
    // The class stays that of the untouched picture.
    const classes = asBytes(predicted!);
    const judged: Prediction[] = [];
    for (const { epsilon } of steps) {
      const { uncertainty } = await this.#again.runOn(changed(images, direction!, epsilon));
      judged.push({ predicted: classes, uncertainty: floats(uncertainty, "uncertainty") });
    }
    return judged;
  }

  async close(): Promise<void> {
    await Promise.all([this.#there.close(), this.#again.close()]);
  }
}
