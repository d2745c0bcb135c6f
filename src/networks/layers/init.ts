import { random } from "../../engine/tensor/random.js";
import { type Shape, size } from "../../engine/tensor/shape.js";

/** First values of a parameter: a pure function of its shape and a key, so that no order of creation matters. */
export type Init = (shape: Shape, key: readonly [seed: number, path: string]) => Float32Array;

/** Inputs (and outputs) that one output (input) of a filter [out, in, kh, kw] is connected to. */
const fanIn = (shape: Shape): number => size(shape.slice(1));
const fanOut = (shape: Shape): number => shape[0]! * size(shape.slice(2));

export const filledWith =
  (value: number): Init =>
  (shape) =>
    new Float32Array(size(shape)).fill(value);

function drawn(
  shape: Shape,
  key: readonly [number, string],
  draw: (source: ReturnType<typeof random>) => number,
): Float32Array {
  const source = random(...key, "init");
  return Float32Array.from({ length: size(shape) }, () => draw(source));
}

const uniform =
  (bound: number): ((source: ReturnType<typeof random>) => number) =>
  (source) =>
    (2 * source.uniform() - 1) * bound;

/** He et al. (2015) for ReLU, by inputs: smp's choice for the decoder. */
export const kaimingUniform: Init = (shape, key) => drawn(shape, key, uniform(Math.sqrt(6 / fanIn(shape))));

/** He et al. (2015) for ReLU, by outputs: torchvision's choice for ResNet. */
export const kaimingNormal: Init = (shape, key) => {
  const deviation = Math.sqrt(2 / fanOut(shape));
  return drawn(shape, key, (source) => source.normal() * deviation);
};

/** Glorot and Bengio (2010): smp's choice for the segmentation head. */
export const xavierUniform: Init = (shape, key) =>
  drawn(shape, key, uniform(Math.sqrt(6 / (fanIn(shape) + fanOut(shape)))));
