import type { Value } from "../../engine/graph/value.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { Pass } from "../../networks/layers/pass.js";
import { upsampleScores } from "../../networks/models/deeplab.js";

/** What a network computes for images in one pass; [h, w] is a quarter of [H, W]. */
export interface NetworkOutputs {
  /** ẑ, the penultimate features: [N, F, h, w] */
  readonly features: Value;
  /** f_ψ(ẑ), scores of the classes: [N, K, h, w] */
  readonly logits: Value;
  /** The same at the size of the images: [N, K, H, W] */
  readonly scores: Value;
  /** The class with the largest score: int64 [N, H, W] */
  readonly predicted: Value;
  /** The output of a second head for uncertainty, where the network has one: [N, 1, h, w] */
  readonly predictedUncertainty?: Value;
  /** Maps at the size of the features, [N, C, h, w], to the size of the images: [N, C, H, W] */
  enlarge(maps: Value): Value;
}

/**
 * Outputs from features and logits. What most methods derive from them is derived once, and costs nothing where no method uses
 * it. With dynamic sizes, everything derived from them holds for images of any size.
 */
export function networkOutputs(
  { features, logits, predictedUncertainty }: Pick<NetworkOutputs, "features" | "logits" | "predictedUncertainty">,
  sizes: Pass["sizes"] = "known",
): NetworkOutputs {
  const enlarge = (maps: Value): Value => upsampleScores(maps, sizes);
  const scores = enlarge(logits);
  return {
    features,
    logits,
    scores,
    predicted: argmax(scores, 1),
    ...(predictedUncertainty !== undefined && { predictedUncertainty }),
    enlarge,
  };
}

/** What a method computes for every pixel, at the size of the images. */
export interface Scored {
  /** int64 [N, H, W] */
  readonly predicted: Value;
  /** float32 [N, H, W]: larger means less sure, always. */
  readonly uncertainty: Value;
}

/** A method with its statistics and settings: a function of one pass through a network. */
export type Score = (outputs: NetworkOutputs) => Scored;
