import type { Value } from "../../engine/graph/value.js";
import { add, relu } from "../../engine/ops/elementwise.js";
import { maxPool } from "../../engine/ops/pool.js";
import { kaimingNormal } from "../layers/init.js";
import { BatchNorm2d, ChannelDropout, Conv2d } from "../layers/layers.js";
import type { Pass } from "../layers/pass.js";
import type { Scope } from "../layers/scope.js";
import type { SpectralNormOptions } from "../layers/spectralNorm.js";

interface StageOptions {
  readonly in: number;
  readonly out: number;
  readonly stride: number;
  readonly dilation: number;
  /** Where features of the block's input size are. */
  readonly spectralNorm: SpectralNormOptions | undefined;
}

/** Features this many times smaller. */
function shrunk(norm: SpectralNormOptions | undefined, stride: number): SpectralNormOptions | undefined {
  const less = (length: number): number => Math.ceil(length / stride);
  return norm && { bound: norm.bound, extent: [less(norm.extent[0]), less(norm.extent[1])] };
}

/** Two 3x3 convolutions and a way around them (He et al., 2016). */
class BasicBlock {
  readonly #scope: Scope;
  readonly #conv1: Conv2d;
  readonly #bn1: BatchNorm2d;
  readonly #conv2: Conv2d;
  readonly #bn2: BatchNorm2d;
  readonly #downsample: { readonly conv: Conv2d; readonly bn: BatchNorm2d } | undefined;

  constructor(scope: Scope, { in: input, out, stride, dilation, spectralNorm }: StageOptions) {
    const init = kaimingNormal;
    const after = shrunk(spectralNorm, stride);
    this.#scope = scope;
    this.#conv1 = new Conv2d(scope.child("conv1"), {
      in: input,
      out,
      kernel: 3,
      stride,
      padding: dilation,
      dilation,
      init,
      spectralNorm,
    });
    this.#bn1 = new BatchNorm2d(scope.child("bn1"), out);
    this.#conv2 = new Conv2d(scope.child("conv2"), {
      in: out,
      out,
      kernel: 3,
      padding: dilation,
      dilation,
      init,
      spectralNorm: after,
    });
    this.#bn2 = new BatchNorm2d(scope.child("bn2"), out);
    if (input !== out || stride !== 1) {
      const around = scope.child("downsample");
      this.#downsample = {
        conv: new Conv2d(around.child(0), { in: input, out, kernel: 1, stride, init, spectralNorm }),
        bn: new BatchNorm2d(around.child(1), out),
      };
    }
  }

  forward(x: Value, pass: Pass): Value {
    return this.#scope.within(() => {
      const inner = relu(this.#bn1.forward(this.#conv1.forward(x, pass), pass));
      const through = this.#bn2.forward(this.#conv2.forward(inner, pass), pass);
      const around = this.#downsample ? this.#downsample.bn.forward(this.#downsample.conv.forward(x, pass), pass) : x;
      return relu(add(through, around));
    });
  }
}

/** Features of an image at three of the encoder's strides. */
export interface EncoderFeatures {
  /** [N, 64, H/4, W/4] */
  readonly shallow: Value;
  /** [N, 512, H/s, W/s], s the output stride; 256 channels without layer4 */
  readonly deep: Value;
}

export type OutputStride = 8 | 16;
export type EncoderStages = 3 | 4;

export interface ResNetOptions {
  readonly outputStride: OutputStride;
  /** Multiplies every channel count, for small machines. */
  readonly width: number;
  /** 3 leaves out layer4, which has three quarters of the weights and half of the multiplications. */
  readonly stages: EncoderStages;
  /** Share of channels dropped after the second, third and fourth stage. */
  readonly dropout?: number;
  /** Hold the norm of every convolution, measured for images of this size. */
  readonly spectralNorm?: SpectralNormOptions | undefined;
}

/** ResNet-18 without its classifier, with torchvision's parameter names; late stages dilate instead of striding. */
export class ResNet18 {
  readonly #scope: Scope;
  readonly #conv1: Conv2d;
  readonly #bn1: BatchNorm2d;
  readonly #layers: readonly {
    readonly scope: Scope;
    readonly blocks: readonly BasicBlock[];
    readonly dropout: ChannelDropout;
  }[];

  constructor(scope: Scope, { outputStride, width, stages, dropout = 0, spectralNorm }: ResNetOptions) {
    this.#scope = scope;
    const channels = ResNet18.channels(width);
    this.#conv1 = new Conv2d(scope.child("conv1"), {
      in: 3,
      out: channels[0]!,
      kernel: 7,
      stride: 2,
      padding: 3,
      init: kaimingNormal,
      spectralNorm,
    });
    this.#bn1 = new BatchNorm2d(scope.child("bn1"), channels[0]!);
    const dilations = outputStride === 16 ? [1, 1, 1, 2] : [1, 1, 2, 4];
    let norm = shrunk(spectralNorm, 4); // after the stem
    this.#layers = dilations.slice(0, stages).map((dilation, i) => {
      const layer = scope.child(`layer${i + 1}`);
      const stride = i === 0 || dilation > 1 ? 1 : 2;
      const out = channels[i]!;
      const after = shrunk(norm, stride);
      const blocks = [
        new BasicBlock(layer.child(0), {
          in: channels[Math.max(0, i - 1)]!,
          out,
          stride,
          dilation,
          spectralNorm: norm,
        }),
        new BasicBlock(layer.child(1), { in: out, out, stride: 1, dilation, spectralNorm: after }),
      ];
      norm = after;
      return { scope: layer, blocks, dropout: new ChannelDropout(i === 0 ? 0 : dropout) };
    });
  }

  /** Channels of the four stages. */
  static channels(width: number): number[] {
    return [64, 128, 256, 512].map((count) => Math.max(8, Math.round((count * width) / 8) * 8));
  }

  /** images [N, 3, H, W], normalised as for ImageNet */
  forward(images: Value, pass: Pass): EncoderFeatures {
    return this.#scope.within(() => {
      const stem = relu(this.#bn1.forward(this.#conv1.forward(images, pass), pass)); // [N, 64, H/2, W/2]
      const pooled = maxPool(stem, { kernel: 3, stride: 2, padding: 1 });
      const stages = this.#layers.reduce<Value[]>((done, { scope, blocks, dropout }) => {
        const x = done.at(-1) ?? pooled;
        const y = () =>
          dropout.forward(
            blocks.reduce((value, block) => block.forward(value, pass), x),
            pass,
          );
        done.push(scope.within(y));
        return done;
      }, []);
      return { shallow: stages[0]!, deep: stages.at(-1)! };
    });
  }
}
