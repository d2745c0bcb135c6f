import type { Value } from "../../engine/graph/value.js";
import { DeepLab } from "../../networks/models/deeplab.js";
import { Projection } from "../../networks/models/projection.js";
import type { OutputStride } from "../../networks/models/resnet.js";
import type { Pass } from "../../networks/nn/pass.js";
import type { Param, Scope } from "../../networks/nn/scope.js";

export interface NetworkOptions {
  readonly outputStride: OutputStride;
  /** Share of ASPP features dropped while training. */
  readonly asppDropout: number;
  /** F: channels of the features. */
  readonly features: number;
  /** Channels of g_ρ and of the embeddings, for each of the features. */
  readonly projectionWidth: number;
  /** Multiplies the encoder's channels. */
  readonly width: number;
  /** Hidden layers of g_ρ. */
  readonly hiddenLayers: 1 | 2;
}

/** The three networks of the paper: E, f_ψ and g_ρ. */
export type Part = "encoder" | "head" | "projection";

const PROJECTION = "projection";
const HEAD = "segmentation_head";

/** E and f_ψ are a DeepLabV3+, g_ρ a perceptron on its penultimate features. Prototypes (g_π) are not learned, and not here. */
export class GammaNetwork {
  readonly params: readonly Param[];
  /** Channels of the embeddings: F in the paper. */
  readonly embedding: number;
  readonly #prefix: string;
  readonly #deeplab: DeepLab;
  readonly #projection: Projection;

  /** `prefix` is the path of the scope, e.g. "teacher". */
  constructor(
    scope: Scope,
    { classes, hiddenLayers, projectionWidth, ...options }: NetworkOptions & { readonly classes: number },
    prefix = "",
  ) {
    this.#prefix = prefix === "" ? "" : `${prefix}.`;
    this.#deeplab = new DeepLab(scope, { classes, ...options });
    const { features } = options;
    this.embedding = Math.max(1, Math.round(features * projectionWidth));
    const shape = { features, embedding: this.embedding, hiddenLayers };
    this.#projection = new Projection(scope.child(PROJECTION), shape);
    this.params = scope.params;
  }

  /** ẑ = E(x): images [N, 3, H, W] -> [N, F, H/4, W/4] */
  features(images: Value, pass: Pass): Value {
    return this.#deeplab.features(images, pass);
  }

  /** f_ψ(ẑ): class scores [N, K, h, w] */
  head(features: Value, pass: Pass): Value {
    return this.#deeplab.head(features, pass);
  }

  /** z = g_ρ(ẑ), at length 1: [N, Z, h, w] */
  project(features: Value, pass: Pass): Value {
    return this.#projection.forward(features, pass);
  }

  /** Cosines of z with some directions [Z, K] of length 1, as a deployed model computes them: [N, K, h, w] */
  cosines(features: Value, directions: Value, pass: Pass): Value {
    return this.#projection.cosines(features, directions, pass);
  }

  /** Which of the three networks a parameter belongs to. */
  partOf({ path }: Param): Part {
    const own = path.slice(this.#prefix.length);
    if (own.startsWith(`${PROJECTION}.`)) return "projection";
    return own.startsWith(`${HEAD}.`) ? "head" : "encoder";
  }
}
