import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, clip, div, exp, maximum, minimum, number, sub } from "../../engine/ops/elementwise.js";
import { gatherElements } from "../../engine/ops/gather.js";
import { argmax, max, sum } from "../../engine/ops/reduce.js";
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
    const byHead = options.classFrom === "head";
    const ofPrototypes =
      options.score === "cosine"
        ? { rank: fullSize(scores), total: null }
        : shares(sharpened(scores, options.temperature), 1 / options.temperature);
    const ofHead = byHead || options.score === "lesser" ? shares(network.head(features, openPass), Infinity) : null;
    const naming = byHead ? ofHead! : ofPrototypes;
    const place = argmax(naming.rank, 3, { keep: true });
    const sureness = (branch: Shares): Value => {
      const chosen = branch === naming ? max(branch.rank, [3]) : squeeze(gatherElements(branch.rank, place, 3), 3);
      return branch.total === null ? maximum(chosen, number(FARTHEST)) : div(chosen, branch.total);
    };
    const sure =
      options.score === "lesser" ? minimum(sureness(ofPrototypes), sureness(ofHead!)) : sureness(ofPrototypes);
    return { predicted: cropped(cast(squeeze(place, 3), "uint8"), image), similarity: cropped(sure, image) };
  });
  const certain = within("answer", () => cast(isCertain(answers.similarity, number(gamma)), "uint8"));
  return { outputs: { class: answers.predicted, similarity: answers.similarity, certain } };
}

/** What a branch says of every class at full size, [1, H', W', K]: the larger, the likelier; and what divides it into probabilities, [1, H', W'], unless it is none. */
interface Shares {
  readonly rank: Value;
  readonly total: Value | null;
}

/** Beyond this, exponentials leave the range of float32. */
const LARGEST_EXPONENT = 80;

/**
 * The softmax of scores [1, K, h, w] that are at most `bound`, once enlarged, but for the division: only one class of each pixel is asked for.
 *
 * Exponentials stay in range by taking out the largest score of each pixel before enlarging, where there are a sixteenth of them: enlarging is linear,
 * so that what is taken out is the same for all classes. Sharpened cosines stay in range as they are, unless the temperature is next to nothing. With
 * exponentials for all that follows nothing else is asked of the enlarged scores, and the runtime overwrites them.
 */
function shares(scores: Value, bound: number): Shares {
  const inRange =
    bound <= LARGEST_EXPONENT
      ? scores
      : maximum(sub(scores, max(scores, [1], { keep: true })), number(-LARGEST_EXPONENT));
  const rank = exp(fullSize(inRange));
  return { rank, total: sum(rank, [3]) };
}
