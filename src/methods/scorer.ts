import type { Value } from "../engine/graph/value.js";
import { argmax } from "../engine/ops/reduce.js";
import type { Pass } from "../networks/layers/pass.js";
import { upsampleScores } from "../networks/models/deeplab.js";

/** What a network says about images in one pass; [h, w] is a quarter of [H, W]. */
export interface NetworkOutputs {
  /** ẑ, the penultimate features: [N, F, h, w] */
  readonly features: Value;
  /** f_ψ(ẑ), scores of the classes: [N, K, h, w] */
  readonly logits: Value;
  /** The same at the size of the images: [N, K, H, W] */
  readonly scores: Value;
  /** The class with the largest score: int64 [N, H, W] */
  readonly predicted: Value;
  /** What a second head says about its own uncertainty, where the network has one: [N, 1, h, w] */
  readonly predictedUncertainty?: Value;
  /** What was found at the size of the features, [N, C, h, w], at the size of the images: [N, C, H, W] */
  enlarge(maps: Value): Value;
}

/**
 * NetworkOutputs from features and logits: what most methods make of them is made once, and costs nothing where no one asks. With sizes
 * left open, what a scorer makes of them holds for images of any size.
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

/** What a method says about every pixel, at the size of the images. */
export interface Scored {
  /** int64 [N, H, W] */
  readonly predicted: Value;
  /** float32 [N, H, W]: larger means less sure, always. */
  readonly uncertainty: Value;
}

/**
 * A way to say, from one pass through a network, how far each pixel can be trusted. Larger uncertainty means less sure. Those of
 * baselines are made of ops that are written the same for images of every size, so that they can be exported.
 */
export interface Scorer {
  readonly name: string;
  score(answers: NetworkOutputs): Scored;
}

/** Numbers and names that were chosen for a method, as they stand in its result. */
export type Settings = Readonly<Record<string, number | string>>;

/** A method with its settings chosen. Of several, the first is the one to take where nothing can be tried out. */
export interface Candidate {
  readonly settings: Settings;
  readonly scorer: Scorer;
}
