import { constant, type Value } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { type FitPass, inTurn } from "../parts/fitting.js";
import type { OnePassMethod, PrototypeMethod } from "../parts/method.js";
import type { Score } from "../parts/networkOutputs.js";
import { DatasetPrototypes } from "./datasetPrototypes.js";
import { gammaPrediction, type PredictionOptions } from "./gammaPrediction.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { classSums, storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/** γ-SSL: prototype segmentation on the network after adaptation. */
export const gammaSsl: PrototypeMethod = {
  name: "gamma-ssl",
  title: "γ-SSL",
  family: "ours",
  network: "adapted",
  kind: "prototypes",
};

/** NoSSL: the same on the network before adaptation. */
export const noSsl: PrototypeMethod = {
  name: "no-ssl",
  title: "NoSSL",
  family: "ours",
  network: "source",
  kind: "prototypes",
  // It has prototypes, and can have a γ.
  obstacle:
    "it is gamma-ssl with the weights of the first stage (gssl export RUN --checkpoint 1-pretraining --gamma FILE)",
};

/**
 * Either of them for a network and its options: one pass, fitted like a baseline. Prototypes are of all labelled source images
 * (P-10, P-11).
 */
export const prototypeMethod = (
  method: PrototypeMethod,
  network: GammaNetwork,
  options: PredictionOptions & Pick<GammaOptions, "prototypes" | "batch">,
): OnePassMethod => ({
  ...method,
  kind: "one-pass",
  ...((options.score === "softmax" || options.branches.query === "head") && { probability: true }),
  fit({ classes }) {
    const shape = { features: network.channels, classes: classes.length };
    const batch = options.prototypes.dataset === "batches" ? options.batch.prototype : null;
    const found = new DatasetPrototypes({ ...shape, batch });
    const pass: FitPass = {
      measure: (outputs) => {
        const embeddings = network.project(outputs.features, inferencePass);
        return { sums: classSums(embeddings, outputs.cells, classes.length).sums };
      },
      add: ({ sums }) => found.add(sums!),
    };
    return inTurn([() => pass], () => ({ tensors: { prototypes: found.finish() }, remarks: [] }));
  },
  score: (outputs, { prototypes }) => prototypeScore(network, constant(prototypes!), options)(outputs),
});

/**
 * Prototype segmentation (Fig. 2): the class of the nearest prototype of a data set [F, K], and how far away it is. Where the head was
 * the query, the head's class and probability.
 */
export const prototypeScore =
  (network: GammaNetwork, prototypes: Value, options: PredictionOptions): Score =>
  (outputs) => {
    const { predicted, confidence } = gammaPrediction(options, {
      sharp: () => {
        const embeddings = network.project(outputs.features, inferencePass);
        return outputs.enlarge(sharpened(similarities(embeddings, storedPrototypes(prototypes)), options.temperature));
      },
      logits: () => outputs.scores,
    });
    return { predicted, uncertainty: sub(number(1), confidence) };
  };
