import { invariant } from "../../platform/errors.js";
import { gradients } from "../autodiff/gradients.js";
import { constant, type Value } from "../graph/value.js";
import { conv2d } from "../ops/conv.js";
import { cast, equal, minimum, mul, number, stopGradient, sub } from "../ops/elementwise.js";
import { matmul } from "../ops/matmul.js";
import { sum } from "../ops/reduce.js";
import { reshape } from "../ops/shaping.js";
import { float32, type HostTensor } from "../tensor/hostTensor.js";
import { size } from "../tensor/shape.js";

type PoolWindow = { readonly kernel: number; readonly stride: number; readonly padding: number };

/** The gradient of a max pool, flat: of each window the first element that equals the maximum gets all of it. */
export function poolGradient([places, flatDy]: readonly Value[]): Value {
  const pool = places!.node?.inputs[0]?.node;
  invariant(pool?.opType === "MaxPool", "AddAt adds where a MaxPool found its maxima");
  const [x, y] = [pool.inputs[0]!, pool.outputs[0]!];
  const window = pool.attrs as PoolWindow;
  const [n, c, height, width] = x.shape as [number, number, number, number];
  const [, , rows, columns] = y.shape as [number, number, number, number];
  const count = window.kernel ** 2;
  // A convolution with one 1 for each tap lays every window open; what it finds in the border is no element of the image.
  const image = reshape(x, [n * c, 1, height, width]);
  const taps = conv2d(image, constant(float32([count, 1, window.kernel, window.kernel], diagonal(count))), window);
  const perWindow = (value: Value): Value => reshape(value, [n * c, 1, rows * columns]);
  const opened = reshape(taps, [n * c, count, rows * columns]);
  const isLargest = mul(cast(equal(opened, perWindow(y)), "float32"), constant(inImage(x, y, window)));
  const before = matmul(constant(float32([count, count], triangle(count))), isLargest);
  const isFirst = mul(isLargest, sub(number(1), minimum(before, number(1))));
  const errors = reshape(mul(isFirst, perWindow(flatDy!)), taps.shape);
  const [dx] = gradients(sum(mul(taps, stopGradient(errors))), [image]);
  return reshape(dx!, [size(x.shape)]);
}

/** A matrix with ones on its diagonal. */
const diagonal = (count: number): Float32Array =>
  Float32Array.from({ length: count * count }, (_, i) => Number(i % count === Math.floor(i / count)));

/** 1 where a tap of a window lies in the image, 0 where it lies in the border: [taps, windows]. */
function inImage(x: Value, y: Value, { kernel, stride, padding }: PoolWindow): HostTensor {
  const [height, width] = x.shape.slice(2) as [number, number];
  const [rows, columns] = y.shape.slice(2) as [number, number];
  const data = new Float32Array(kernel ** 2 * rows * columns);
  const inside = (at: number, tap: number, extent: number): boolean => {
    const pixel = at * stride + tap - padding;
    return pixel >= 0 && pixel < extent;
  };
  let i = 0;
  for (let tap = 0; tap < kernel ** 2; tap++)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        data[i++] = Number(inside(row, Math.floor(tap / kernel), height) && inside(column, tap % kernel, width));
  return float32([kernel ** 2, rows * columns], data);
}

/** A matrix that adds up all elements before each. */
const triangle = (count: number): Float32Array =>
  Float32Array.from({ length: count * count }, (_, i) => Number(i % count < Math.floor(i / count)));
