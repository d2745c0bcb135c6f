import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, clip, div, exp, maximum, minimum, number, sub } from "../../engine/ops/elementwise.js";
import { gatherElements } from "../../engine/ops/gather.js";
import { argmax, max, softmax, sum } from "../../engine/ops/reduce.js";
import { squeeze } from "../../engine/ops/shaping.js";
import { openPass } from "../../networks/nn/pass.js";
import { cropped, fullSize, imageInput, type Normalisation, normalised } from "../deployed.js";
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
    const full = fullSize(options.score === "cosine" ? scores : sharpened(scores, options.temperature)); // [1, H', W', K]
    const byHead = options.classFrom === "head";
    const asked = byHead || options.score === "lesser";
    const logits = asked ? fullSize(network.head(features, openPass)) : full;
    const place = argmax(byHead ? logits : full, 3, { keep: true });
    const among = (all: Value): Value => squeeze(gatherElements(all, place, 3), 3);
    const chosen = byHead ? among(full) : max(full, [3]);
    const cosine = (): Value => (byHead ? maximum(chosen, number(FARTHEST)) : chosen);
    const ofPrototypes = options.score === "cosine" ? cosine() : probability(chosen, full, 1 / options.temperature);
    const ofHead = (): Value => (byHead ? largestProbability(logits) : probability(among(logits), logits, Infinity));
    const sure = options.score === "lesser" ? minimum(ofPrototypes, ofHead()) : ofPrototypes;
    return { predicted: cropped(cast(squeeze(place, 3), "uint8"), image), similarity: cropped(sure, image) };
  });
  const certain = within("answer", () => cast(isCertain(answers.similarity, number(gamma)), "uint8"));
  return { outputs: { class: answers.predicted, similarity: answers.similarity, certain } };
}

/** Beyond this, exponentials leave the range of float32. */
const LARGEST_EXPONENT = 80;

/**
 * The probability of a class, given its score [1, H, W] among scores with channels last, [1, H, W, K], that are at most `bound`.
 *
 * A cosine is at most 1, so exponentials of sharpened ones need no largest one taken out first, which saves a pass over all of them;
 * unless the temperature is next to nothing.
 */
function probability(chosen: Value, sharp: Value, bound: number): Value {
  if (bound <= LARGEST_EXPONENT) return div(exp(chosen), sum(exp(sharp), [3]));
  const largest = max(sharp, [3], { keep: true });
  return div(exp(sub(chosen, max(largest, [3]))), sum(exp(sub(sharp, largest)), [3]));
}

/** The largest probability of every pixel, given scores [1, H, W, K]. */
const largestProbability = (scores: Value): Value => max(softmax(scores, 3), [3]);
