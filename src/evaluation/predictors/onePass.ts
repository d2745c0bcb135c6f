import type { ImageLevels } from "../../data/images/tensors.js";
import type { Value } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { cropMap } from "../../inference/scored.js";
import { WholeImages } from "../../inference/wholeImages.js";
import type { Score } from "../../methods/parts/networkOutputs.js";
import { mirroredTo } from "../../networks/models/anySize.js";
import type { InferenceNetwork } from "../../runs/inferenceNetwork.js";
import { asBytes, type Entry, type Prediction, type Predictor } from "./predictor.js";

/** A method with its statistics and settings. */
export interface Scorer extends Entry {
  readonly score: Score;
}

/** It takes images whose levels are not whole numbers, too. */
export interface OnePassPredictor extends Predictor {
  predict(images: readonly ImageLevels[]): Promise<Prediction[][]>;
}

/**
 * Methods that need one pass: all of them together need one pass.
 *
 * Images of any size are continued by their mirror image, maps cut to their size.
 */
export function onePassPredictor(
  runtime: Runtime,
  network: InferenceNetwork,
  scorers: readonly Scorer[],
): OnePassPredictor {
  const program = new WholeImages(runtime, (x) => scoredOutputs(x, network, scorers), network.weights);
  return {
    entries: scorers,
    batchSize: 1,
    async predict(images) {
      const predictions = [];
      for (const image of images) {
        const found = await program.run([image]);
        const classes = new Map<string, Uint8Array>();
        predictions.push(
          scorers.map((_, i) => {
            const name = found[`predicted.${i}`] === undefined ? "predicted" : `predicted.${i}`;
            const predicted = classes.get(name) ?? asBytes(found[name]!);
            classes.set(name, predicted);
            return { predicted, uncertainty: floats(found[`uncertainty.${i}`], `uncertainty.${i}`) };
          }),
        );
      }
      return predictions;
    },
    close: () => program.close(),
  };
}

/** `uncertainty.<i>` for each scorer; `predicted.<i>` only where it is not the class of the head, `predicted`. */
function scoredOutputs(images: Value, network: InferenceNetwork, scorers: readonly Scorer[]): Record<string, Value> {
  const outputs = network.forward(mirroredTo(images));
  const found: Record<string, Value> = { predicted: cropMap(outputs.predicted, images) };
  for (const [i, { score }] of scorers.entries()) {
    const { predicted, uncertainty } = score(outputs);
    found[`uncertainty.${i}`] = cropMap(uncertainty, images);
    if (predicted !== outputs.predicted) found[`predicted.${i}`] = cropMap(predicted, images);
  }
  return found;
}
