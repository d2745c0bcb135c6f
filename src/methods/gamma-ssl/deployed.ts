import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, clip, div, maximum, minimum, number } from "../../engine/ops/elementwise.js";
import { takeLast } from "../../engine/ops/freeSize.js";
import { argmax, max } from "../../engine/ops/reduce.js";
import { openPass } from "../../networks/nn/pass.js";
import {
  cropped,
  exponentials,
  fullSize,
  imageInput,
  type Normalisation,
  normalised,
  probabilities,
} from "../deployed.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { amongSeen, FARTHEST, isCertain, sharpened } from "./segmentation.js";

export interface Deployment {
  readonly network: GammaNetwork;
  /** Of a data set: [F, K]. */
  readonly prototypes: Value;
  readonly gamma: number;
  readonly options: Pick<GammaOptions, "temperature" | "score" | "classFrom">;
  readonly normalisation: Normalisation;
}

/**
 * Inference in one pass (Fig. 2), from bytes to answers, for images of any size; built at one.
 *
 * `image` uint8 [1, H, W, 3] -> `class` uint8, `similarity` float32 and `certain` uint8, all [1, H, W]. `similarity` is what γ is
 * compared with: the cosine of that class or a probability of it, as the options say.
 */
export function deployedGraph(
  { network, prototypes, gamma, options, normalisation }: Deployment,
  extent: readonly [height: number, width: number],
): Graph {
  const image = imageInput(extent);
  const features = network.features(
    within("image", () => normalised(image, normalisation)),
    openPass,
  );
  const { vectors, seen } = storedPrototypes(prototypes);
  const cosines = network.cosines(features, vectors, openPass);
  const answers = within("answer", () => {
    // The length of an embedding is computed apart from its products: rounding may carry a cosine just past 1.
    const scores = amongSeen(clip(cosines, -1, 1), seen);
    const sharp = sharpened(scores, options.temperature);
    const byHead = options.classFrom === "head";
    const logits = byHead || options.score === "lesser" ? network.head(features, openPass) : null;
    const { shares, total } = sharesBy(options, { scores, sharp, logits });
    const rank = byHead ? fullSize(logits!) : options.score === "lesser" ? fullSize(sharp) : shares;
    const named = argmax(rank, 3);
    const chosen = rank === shares ? max(shares, [3]) : takeLast(shares, named);
    const sure =
      options.score === "cosine"
        ? maximum(chosen, number(FARTHEST)) // a class without a prototype is farther than can be
        : total === null
          ? chosen
          : div(chosen, total);
    return { predicted: cropped(cast(named, "uint8"), image), similarity: cropped(sure, image) };
  });
  const certain = within("answer", () => cast(isCertain(answers.similarity, number(gamma)), "uint8"));
  return { outputs: { class: answers.predicted, similarity: answers.similarity, certain } };
}

/** What a score says of every class at full size, [1, H', W', K]; and what divides it into probabilities, [1, H', W'], where that is left to do. */
function sharesBy(
  { score, temperature }: Deployment["options"],
  { scores, sharp, logits }: { readonly scores: Value; readonly sharp: Value; readonly logits: Value | null },
): { readonly shares: Value; readonly total: Value | null } {
  switch (score) {
    case "cosine":
      return { shares: fullSize(scores), total: null };
    case "softmax":
      return exponentials(sharp, 1 / temperature);
    case "lesser":
      return {
        shares: fullSize(minimum(probabilities(sharp, 1 / temperature), probabilities(logits!))),
        total: null,
      };
  }
}
