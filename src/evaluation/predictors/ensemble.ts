import type { RgbImage } from "../../data/images/tensors.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../../engine/tensor/hostTensor.js";
import { WholeImages } from "../../inference/wholeImages.js";
import type { Average } from "../../methods/parts/baselineOptions.js";
import { mirroredTo } from "../../networks/models/anySize.js";
import type { RunNetwork } from "../../runs/openRun.js";
import { DrawsPredictor, type DrawsWanted, stacked } from "./draws.js";
import type { Entry, Prediction, Predictor } from "./predictor.js";

/** Images that each member sees in turn while its weights are in memory. */
const AT_ONCE = 8;

export interface EnsembleEntry extends Entry, DrawsWanted {}

export interface EnsembleOptions {
  readonly average: Average;
  /** All members have the same layers. */
  readonly forward: RunNetwork["forward"];
  /** The weights of each member, read when they are needed. */
  readonly members: readonly (() => Promise<Tensors>)[];
  /** One member's weights in memory at a time, or all of them. */
  readonly memory: "low" | "high";
}

/** PE and MI of an ensemble (Lakshminarayanan et al., 2017; B-3): its members vote one after the other; small ensembles are its first. */
export function ensemblePredictor(
  runtime: Runtime,
  entries: readonly EnsembleEntry[],
  options: EnsembleOptions,
): Predictor {
  const { members, memory, forward, average } = options;
  const network = new WholeImages(runtime, (x) => ({ logits: forward(mirroredTo(x)).logits }), {});
  const draws = new DrawsPredictor(runtime, average, entries);
  const kept = new Map<number, Tensors>();
  const weightsOf = async (member: number): Promise<Tensors> => {
    const weights = kept.get(member) ?? (await members[member]!());
    if (memory === "high") kept.set(member, weights);
    return weights;
  };
  return {
    entries,
    batchSize: memory === "low" ? AT_ONCE : 1,
    async predict(images: readonly RgbImage[]) {
      const votes: HostTensor[][] = images.map(() => []);
      for (const member of members.keys()) {
        const weights = await weightsOf(member);
        for (const [i, image] of images.entries()) votes[i]!.push((await network.run([image], weights)).logits!);
      }
      const predictions: Prediction[][] = [];
      for (const [i, image] of images.entries()) predictions.push(await draws.predict(stacked(votes[i]!), image));
      return predictions;
    },
    async close() {
      await Promise.all([network.close(), draws.close()]);
    },
  };
}
