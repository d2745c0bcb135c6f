import { constant } from "../../engine/graph/value.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { type FitPass, type FittedMethod, inTurn } from "../fittedMethod.js";
import type { AnswerOptions } from "./answer.js";
import { DatasetPrototypes } from "./datasetPrototypes.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { classSums } from "./prototypes.js";
import { prototypeScorer } from "./scorer.js";

/**
 * Prototype segmentation with prototypes of all labelled source images (P-10, P-11), learned like any baseline is: on the network
 * that γ-SSL ended with it is the method itself, on the one it began with NoSSL.
 */
export const prototypeMethod = (
  name: string,
  network: GammaNetwork,
  options: AnswerOptions & Pick<GammaOptions, "prototypes">,
): FittedMethod => ({
  name,
  fit({ classes }) {
    const shape = { features: network.channels, classes: classes.length };
    const found = new DatasetPrototypes({ ...shape, rule: options.prototypes.dataset });
    const pass: FitPass = {
      measure: (outputs) => {
        const embeddings = network.project(outputs.features, inferencePass);
        return { sums: classSums(embeddings, outputs.cells, classes.length).sums };
      },
      add: ({ sums }) => found.add(sums!),
    };
    return inTurn([() => pass], () => ({ tensors: { prototypes: found.finish() }, remarks: [] }));
  },
  candidates: ({ prototypes }) => [
    { settings: {}, scorer: prototypeScorer(name, network, constant(prototypes!), options) },
  ],
});
