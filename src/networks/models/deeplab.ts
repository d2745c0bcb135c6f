import type { Value } from "../../engine/graph/value.js";
import { enlarge } from "../../engine/ops/dynamicShape.js";
import { relu } from "../../engine/ops/elementwise.js";
import { resizeBilinear } from "../../engine/ops/resize.js";
import { concat } from "../../engine/ops/shaping.js";
import { UserError } from "../../platform/errors.js";
import { xavierUniform } from "../layers/init.js";
import { BatchNorm2d, Conv2d } from "../layers/layers.js";
import type { Pass } from "../layers/pass.js";
import type { Scope } from "../layers/scope.js";
import { Aspp, ConvBnRelu, SeparableConv2d } from "./aspp.js";
import { resizedLike } from "./resizing.js";
import { type EncoderFeatures, type EncoderStages, type OutputStride, ResNet18 } from "./resnet.js";

export interface DeepLabOptions {
  readonly classes: number;
  /** Stride of the deepest features: 16 costs a third of 8. */
  readonly outputStride?: OutputStride;
  /** Share of ASPP features dropped while training. */
  readonly asppDropout?: number;
  /** Share of the encoder's channels dropped after its second, third and fourth stage: for MC dropout. */
  readonly encoderDropout?: number;
  /** Largest norm of the encoder's convolutions, c: for DUM, which takes 3. */
  readonly spectralNorm?: number | "off";
  /** Height and width of the images for which these norms are measured: those of the training crops. */
  readonly spectralImage?: readonly [height: number, width: number];
  /** Multiplies the encoder's channels, for small machines. */
  readonly width?: number;
  /** Stages of the encoder: 3 leaves out layer4. */
  readonly stages?: EncoderStages;
  /** Channels of the penultimate features, F in the paper. */
  readonly features?: number;
}

/** Channels of the shallow features in the decoder: "48", as the authors of DeepLabV3+ propose. */
const SHALLOW_CHANNELS = 48;
const RATES = [12, 24, 36];
/** The decoder works, and the network answers, at a quarter of the image's height and width. */
export const DECODER_STRIDE = 4;

/** Deep features, refined with shallow ones. Parameter names are those of segmentation_models.pytorch. */
class Decoder {
  readonly #scope: Scope;
  readonly #deep: {
    readonly scope: Scope;
    readonly aspp: Aspp;
    readonly conv: SeparableConv2d;
    readonly bn: BatchNorm2d;
  };
  readonly #shallow: ConvBnRelu;
  readonly #join: ConvBnRelu;

  constructor(
    scope: Scope,
    { channels, features, dropout }: { channels: readonly number[]; features: number; dropout: number },
  ) {
    this.#scope = scope;
    const deep = scope.child("aspp");
    this.#deep = {
      scope: deep,
      aspp: new Aspp(deep.child(0), { in: channels.at(-1)!, out: features, rates: RATES, dropout }),
      conv: new SeparableConv2d(deep.child(1), { in: features, out: features, dilation: 1 }),
      bn: new BatchNorm2d(deep.child(2), features),
    };
    this.#shallow = new ConvBnRelu(scope.child("block1"), { in: channels[0]!, out: SHALLOW_CHANNELS });
    this.#join = new ConvBnRelu(scope.child("block2"), { in: SHALLOW_CHANNELS + features, out: features, dilation: 1 });
  }

  /** -> [N, features, H/4, W/4] */
  forward({ shallow, deep }: EncoderFeatures, pass: Pass): Value {
    return this.#scope.within(() => {
      const { scope, aspp, conv, bn } = this.#deep;
      const wide = scope.within(() =>
        resizedLike(relu(bn.forward(conv.forward(aspp.forward(deep, pass), pass), pass)), shallow, pass),
      );
      const fine = this.#shallow.forward(shallow, pass);
      // Draws of dropout part in the encoder, behind the shallow features: of one image those are the same for all.
      if (fine.shape[0] === 1 && wide.shape[0]! > 1) return this.#join.forwardShared(wide, fine, pass);
      const all = wide.shape[0] === fine.shape[0] ? fine : pass.spread(fine);
      return this.#join.forward(concat([wide, all], 1), pass);
    });
  }
}

/** DeepLabV3+ on ResNet-18, as segmentation_models.pytorch builds it; E of the paper is `features`, f_ψ is `head`. */
export class DeepLab {
  readonly #encoder: ResNet18;
  readonly #decoder: Decoder;
  readonly #head: { readonly scope: Scope; readonly conv: Conv2d };
  readonly #outputStride: OutputStride;

  constructor(scope: Scope, options: DeepLabOptions) {
    const { classes, outputStride = 16, width = 1, stages = 4, features = 256 } = options;
    const { asppDropout = 0.5, encoderDropout = 0 } = options;
    const { spectralNorm = "off", spectralImage: extent = [128, 256] } = options;
    this.#outputStride = outputStride;
    this.#encoder = new ResNet18(scope.child("encoder"), {
      outputStride,
      width,
      stages,
      dropout: encoderDropout,
      spectralNorm: spectralNorm === "off" ? undefined : { bound: spectralNorm, extent },
    });
    this.#decoder = new Decoder(scope.child("decoder"), {
      channels: ResNet18.channels(width).slice(0, stages),
      features,
      dropout: asppDropout,
    });
    const head = scope.child("segmentation_head");
    this.#head = {
      scope: head,
      conv: new Conv2d(head.child(0), { in: features, out: classes, kernel: 1, bias: true, init: xavierUniform }),
    };
  }

  /** The penultimate features: images [N, 3, H, W] -> [N, F, H/4, W/4] */
  features(images: Value, pass: Pass): Value {
    return this.decode(this.encode(images, pass), pass);
  }

  /** What the encoder sees in images [N, 3, H, W]. */
  encode(images: Value, pass: Pass): EncoderFeatures {
    const [, , h, w] = images.shape as [number, number, number, number];
    const stride = this.#outputStride;
    if (h % stride !== 0 || w % stride !== 0) {
      const rounded = (extent: number): number => Math.ceil(extent / stride) * stride;
      throw new UserError(`deeplab: an image of ${h} x ${w} (height x width) is not a multiple of ${stride}`, {
        hint: `pad it to ${rounded(h)} x ${rounded(w)}, or run the network through atAnySize`,
      });
    }
    return this.#encoder.forward(images, pass);
  }

  /** The penultimate features of what the encoder saw. */
  decode(encoded: EncoderFeatures, pass: Pass): Value {
    return this.#decoder.forward(encoded, pass);
  }

  /** Class scores of features, at their own size: [N, F, H/4, W/4] -> [N, K, H/4, W/4] */
  head(features: Value, pass: Pass): Value {
    return this.#head.scope.within(() => this.#head.conv.forward(features, pass));
  }
}

/** Scores at the size of the image they were made from: the last layer of smp's head. */
export function upsampleScores(scores: Value, sizes: Pass["sizes"] = "known"): Value {
  if (sizes === "open") return enlarge(scores, 2, DECODER_STRIDE, "corners");
  const [, , h, w] = scores.shape as [number, number, number, number];
  return resizeBilinear(scores, [h * DECODER_STRIDE, w * DECODER_STRIDE], "corners");
}
