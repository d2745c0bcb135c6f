import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, clip, div, maximum, minimum, number } from "../../engine/ops/elementwise.js";
import { gatherElements } from "../../engine/ops/gather.js";
import { argmax, max } from "../../engine/ops/reduce.js";
import { squeeze } from "../../engine/ops/shaping.js";
import { openPass } from "../../networks/nn/pass.js";
import {
  cropped,
  exponentials,
  fullSize,
  fullSizeOf,
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
  return within("answer", () => {
    // The length of an embedding is computed apart from its products: rounding may carry a cosine just past 1.
    const scores = amongSeen(clip(cosines, -1, 1), seen);
    const { named, sure } = answered(options, scores, network.head(features, openPass));
    const similarity = cropped(sure, image);
    const certain = cast(isCertain(similarity, number(gamma)), "uint8");
    return { outputs: { class: cropped(cast(named, "uint8"), image), similarity, certain } };
  });
}

/** What `answerOf` says, spelt for speed: similarities and scores of the head [1, K, h, w] -> the class of each pixel, int64, and how sure it is, [1, H', W']. */
function answered(
  { score, temperature, classFrom }: Deployment["options"],
  scores: Value,
  logits: Value,
): { readonly named: Value; readonly sure: Value } {
  const byHead = classFrom === "head";
  const sharp = sharpened(scores, temperature);
  switch (score) {
    case "cosine": {
      const full = fullSize(byHead ? logits : scores);
      const named = argmax(full, 3);
      // The head may name a class without a prototype, which is farther than can be.
      return { named, sure: byHead ? maximum(fullSizeOf(named, scores), number(FARTHEST)) : max(full, [3]) };
    }
    case "softmax": {
      const { shares, total } = exponentials(sharp, 1 / temperature);
      const place = argmax(byHead ? fullSize(logits) : shares, 3, { keep: true });
      const own = byHead ? squeeze(gatherElements(shares, place, 3), 3) : max(shares, [3]);
      return { named: squeeze(place, 3), sure: div(own, total) };
    }
    case "lesser": {
      const named = argmax(fullSize(byHead ? logits : sharp), 3);
      const lesser = minimum(probabilities(sharp, 1 / temperature), probabilities(logits));
      return { named, sure: fullSizeOf(named, lesser) };
    }
  }
}
