import type { Graph } from "../../engine/graph/graph.js";
import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { cast, clip, div, number, scale, shift } from "../../engine/ops/elementwise.js";
import { argmax, logSumExp, max, softmax } from "../../engine/ops/reduce.js";
import { concat, slice } from "../../engine/ops/shaping.js";
import { dynamicShapePass } from "../../networks/layers/pass.js";
import { type Eye, exponentials, fullSize, imageSeen } from "../parts/deployedParts.js";
import { imageDistance, imageMeans, type PlacesSeen } from "../parts/imageDistance.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions } from "./options.js";
import { storedPrototypes } from "./prototypes.js";
import { amongSeen, isCertain, sharpened } from "./segmentation.js";

export interface Deployment extends Eye {
  readonly network: GammaNetwork;
  /** Of a data set: [F, K]. */
  readonly prototypes: Value;
  readonly gamma: number;
  readonly options: Pick<GammaOptions, "temperature" | "score">;
  /** Whether the distribution of Eq. 4 is an output, too. */
  readonly probabilities?: boolean | undefined;
  /** What the whole image is compared with; without it there is no `distance`. */
  readonly places?: PlacesSeen | undefined;
}

/**
 * Inference in one pass (Fig. 2), from bytes to answers, for images of any size, which it scales to `height`; built at one size.
 *
 * `image` uint8 [1, H, W, 3] -> `class` uint8, `similarity` float32 and `certain` uint8, all [1, H, W]. `similarity` is what γ is
 * compared with: the cosine to the nearest prototype or its softmax, as the options say. On request also `probabilities` float32
 * [1, H, W, K + 1], of the known classes and of none of them (Eq. 4). With places, `distance` float32 [1]: how far the image is from them.
 */
export function deployedGraph(
  { network, prototypes, gamma, options, probabilities = false, places, ...eye }: Deployment,
  extent: readonly [height: number, width: number],
): Graph {
  const { planes, atOwnSize } = imageSeen(extent, eye);
  const encoded = network.encode(planes, dynamicShapePass);
  const features = network.decode(encoded, dynamicShapePass);
  const { vectors, seen } = storedPrototypes(prototypes);
  const cosines = network.cosines(features, vectors, dynamicShapePass);
  return within("answer", () => {
    // The length of an embedding is computed apart from its products: rounding may carry a cosine just past 1.
    const scores = amongSeen(clip(cosines, -1, 1), seen);
    const { predicted, confidence } = answered(options, scores);
    const similarity = atOwnSize(confidence);
    return {
      outputs: {
        class: atOwnSize(cast(predicted, "uint8")),
        similarity,
        certain: cast(isCertain(similarity, number(gamma)), "uint8"),
        ...(places && { distance: imageDistance(imageMeans(encoded), places) }),
        ...(probabilities && { probabilities: atOwnSize(withUnknown(options, scores, gamma)) }),
      },
    };
  });
}

/**
 * What `gammaPrediction` says, spelt for speed: similarities [1, K, h, w] -> the class of each pixel, int64, and the confidence in it,
 * [1, H', W'].
 */
function answered(
  { score, temperature }: Deployment["options"],
  scores: Value,
): Record<"predicted" | "confidence", Value> {
  if (score === "cosine") {
    const full = fullSize(scores);
    return { predicted: argmax(full, 3), confidence: max(full, [3]) };
  }
  const { shares, total } = exponentials(sharpened(scores, temperature), 1 / temperature);
  return { predicted: argmax(shares, 3), confidence: div(max(shares, [3]), total) };
}

/** `probabilitiesWithUnknown` of similarities [1, K, h, w], for images of any size: [1, H', W', K + 1]. */
function withUnknown({ score, temperature }: Deployment["options"], scores: Value, gamma: number): Value {
  const sharp = fullSize(sharpened(scores, temperature));
  const last =
    score === "cosine"
      ? shift(scale(slice(sharp, 3, 0, 1), 0), gamma / temperature) // γ for every pixel, whatever the size
      : shift(logSumExp(sharp, [3]), Math.log(Math.max(gamma, 0)));
  return softmax(concat([sharp, last], 3), 3);
}
