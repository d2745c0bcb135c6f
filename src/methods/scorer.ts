import type { Value } from "../engine/graph/value.js";

/** What a network says about images, at a quarter of their height and width. */
export interface Answers {
  /** ẑ, the penultimate features: [N, F, h, w] */
  readonly features: Value;
  /** f_ψ(ẑ), scores of the classes: [N, K, h, w] */
  readonly logits: Value;
}

/** What a method says about every pixel, at the size of the images. */
export interface Scored {
  /** int64 [N, H, W] */
  readonly predicted: Value;
  /** float32 [N, H, W]: larger means less sure, always. */
  readonly uncertainty: Value;
}

/** A way to say, from one pass through a network, how far each pixel can be trusted. Larger uncertainty means less sure. */
export interface Scorer {
  readonly name: string;
  score(answers: Answers): Scored;
}
