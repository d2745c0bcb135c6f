import type { Value } from "../../engine/graph/value.js";
import type { Pass } from "../../networks/layers/pass.js";
import type { Param, Scope } from "../../networks/layers/scope.js";
import { DeepLab } from "../../networks/models/deeplab.js";
import { Projection } from "../../networks/models/projection.js";
import type { EncoderFeatures } from "../../networks/models/resnet.js";
import type { NetworkOptions } from "./options.js";

/** The three networks of the paper, E, f_ψ and g_ρ; E in two, since its first layers may be frozen. */
export type Part = "stem" | "encoder" | "head" | "projection";

const PROJECTION = "projection";
const HEAD = "segmentation_head";
/** conv1, bn1 and layer1: half of the time of a backward pass, and what differs least between places. */
const STEM = /^encoder\.(conv1|bn1|layer1)\./;

export interface GammaNetworkOptions extends NetworkOptions {
  readonly classes: number;
  /** Share of the encoder's channels dropped after its second and later stages: for MCD-SSL. */
  readonly encoderDropout?: number;
}

/** E and f_ψ are a DeepLabV3+, g_ρ a perceptron on its penultimate features. Prototypes (g_π) are not learned, and not here. */
export class GammaNetwork {
  readonly params: readonly Param[];
  /** F: channels of the features and of the embeddings. */
  readonly channels: number;
  readonly #prefix: string;
  readonly #deeplab: DeepLab;
  readonly #projection: Projection;

  /** `prefix` is the path of the scope, e.g. "teacher". */
  constructor(scope: Scope, { hiddenLayers, ...options }: GammaNetworkOptions, prefix = "") {
    this.#prefix = prefix === "" ? "" : `${prefix}.`;
    this.#deeplab = new DeepLab(scope, options);
    this.channels = options.features;
    this.#projection = new Projection(scope.child(PROJECTION), { features: options.features, hiddenLayers });
    this.params = scope.params;
  }

  /** ẑ = E(x): images [N, 3, H, W] -> [N, F, H/4, W/4] */
  features(images: Value, pass: Pass): Value {
    return this.#deeplab.features(images, pass);
  }

  /** The first half of E, for what its first layers say of an image as a whole. */
  encode(images: Value, pass: Pass): EncoderFeatures {
    return this.#deeplab.encode(images, pass);
  }

  /** The second half: ẑ of what was encoded. */
  decode(encoded: EncoderFeatures, pass: Pass): Value {
    return this.#deeplab.decode(encoded, pass);
  }

  /** f_ψ(ẑ): class scores [N, K, h, w] */
  head(features: Value, pass: Pass): Value {
    return this.#deeplab.head(features, pass);
  }

  /** z = g_ρ(ẑ), at length 1: [N, F, h, w] */
  project(features: Value, pass: Pass): Value {
    return this.#projection.forward(features, pass);
  }

  /** Cosines of z with some directions [F, K] of length 1, as a deployed model computes them: [N, K, h, w] */
  cosines(features: Value, directions: Value, pass: Pass): Value {
    return this.#projection.cosines(features, directions, pass);
  }

  /** Which of the three networks a parameter belongs to. */
  partOf({ path }: Param): Part {
    const own = path.slice(this.#prefix.length);
    if (own.startsWith(`${PROJECTION}.`)) return "projection";
    if (own.startsWith(`${HEAD}.`)) return "head";
    return STEM.test(own) ? "stem" : "encoder";
  }
}
