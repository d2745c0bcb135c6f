import { gradients } from "../../engine/autodiff/gradients.js";
import type { Value } from "../../engine/graph/value.js";
import { type ConvOptions, conv2d } from "../../engine/ops/conv.js";
import { div, maximum, mul, number, scale, sqrt, square, stopGradient } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { concat, slice } from "../../engine/ops/shaping.js";
import { type Shape, windowOutput } from "../../engine/tensor/shape.js";
import { UserError } from "../../platform/errors.js";
import type { Init } from "./init.js";
import { kaimingNormal } from "./init.js";
import type { Pass } from "./pass.js";
import type { Param, Scope } from "./scope.js";

export interface SpectralNormOptions {
  /** The largest norm a filter may have, c; a smaller one is left alone. */
  readonly bound: number;
  /** Height and width of the features on which the norm is measured. */
  readonly extent: readonly [height: number, width: number];
}

/**
 * Soft spectral normalisation of a convolution: W / max(1, σ / c) (Gouk et al., 2018; Behrmann et al., 2019).
 *
 * σ is how much the convolution can stretch an image: the norm of the whole operator, not of the filter as a matrix, except for
 * 1x1 filters where the two are the same. One power iteration a step follows it; nothing flows back through its two vectors, as
 * in PyTorch. They are kept as `weight_u` (an output) and `weight_v` (an image), and at rest σ comes from the kept ones.
 */
export class SpectralNorm {
  readonly #weight: Param;
  readonly #output: Param;
  readonly #image: Param;
  readonly #bound: number;
  readonly #pointwise: boolean;
  readonly #geometry: ConvOptions;

  /** `scope` and `geometry` are those of the convolution. */
  constructor(scope: Scope, weight: Param, geometry: ConvOptions, { bound, extent }: SpectralNormOptions) {
    if (!(bound > 0)) throw new UserError(`spectral norm: the bound is ${bound}, wanted a number above 0`);
    const [out, perGroup, kernel] = weight.shape as [number, number, number];
    const { stride = 1, padding = 0, dilation = 1, groups = 1 } = geometry;
    // A 1x1 filter does the same to every pixel, so one pixel is enough to see it.
    this.#pointwise = kernel === 1;
    this.#geometry = this.#pointwise ? { groups } : geometry;
    const seen = this.#pointwise ? [1, 1] : extent;
    const walked = (length: number): number =>
      this.#pointwise
        ? 1
        : windowOutput(`${weight.path}: spectral norm`, length, kernel, { stride, padding, dilation });
    this.#weight = weight;
    this.#bound = bound;
    this.#output = scope.state("weight_u", [1, out, ...seen.map(walked)], unitLength);
    this.#image = scope.state("weight_v", [1, perGroup * groups, ...seen], unitLength);
  }

  /** The filter to convolve with in this pass. */
  filter(pass: Pass): Value {
    const weight = this.#weight.value;
    const apply = (image: Value, filter: Value): Value =>
      this.#pointwise ? onePixel(image, filter, this.#geometry) : conv2d(image, filter, this.#geometry);
    const [output, image] = pass.advance([this.#output, this.#image], ([u, v]) => {
      const fixed = stopGradient(weight);
      const next = powerIteration((x) => apply(x, fixed), { output: u!, image: v! });
      return [next.output, next.image];
    });
    const sigma = sum(mul(output!, apply(image!, weight)));
    return div(weight, maximum(number(1), scale(sigma, 1 / this.#bound)));
  }
}

/** Of one pixel, the runtime would split the long sums between threads and change their last bit; of two images it does not. */
const onePixel = (image: Value, filter: Value, geometry: ConvOptions): Value =>
  slice(conv2d(concat([image, image], 0), filter, geometry), 0, 0, 1);

/** An image and an output of unit length, on the way to those between which a linear map stretches most. */
export interface SingularPair {
  readonly output: Value;
  readonly image: Value;
}

/** One step: the image that the output came from, the output that image leads to, both at unit length. */
function powerIteration(apply: (image: Value) => Value, { output, image }: SingularPair): SingularPair {
  // The transpose of a linear map is its gradient, at any image.
  const [back] = gradients(sum(mul(apply(image), output)), [image]);
  const nextImage = normalised(back!);
  return { output: normalised(apply(nextImage)), image: nextImage };
}

const normalised = (x: Value): Value => div(x, maximum(sqrt(sum(square(x))), number(1e-12)));

/** A random direction. */
const unitLength: Init = (shape: Shape, key) => {
  const drawn = kaimingNormal(shape, key);
  const length = Math.sqrt(drawn.reduce((total, value) => total + value * value, 0));
  return drawn.map((value) => value / length);
};
