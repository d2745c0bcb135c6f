import type { Value } from "../graph/value.js";
import type { Geometry } from "./conv.js";
import { filled, mul } from "./elementwise.js";
import { seenBy, taps } from "./filterTaps.js";
import { matmul } from "./matmul.js";
import { sum } from "./reduce.js";
import { concat, cut, pad, reshape, transpose } from "./shaping.js";

/** Paddings up to this are worth making: pixels of all taps then have one shape, and a product of rows sums them. */
const THIN_PADDING = 2;

type DepthwiseShape = readonly [channels: number, height: number, width: number];

/** Gradient of a depthwise convolution with respect to its filter [C, 1, kh, kw]. */
export function depthwiseGradient(x: Value, dy: Value, filter: DepthwiseShape, geometry: Geometry): Value {
  const [channels, kh, kw] = filter;
  const perTap =
    geometry.padding <= THIN_PADDING ? rowProducts(x, dy, filter, geometry) : overlaps(x, dy, filter, geometry);
  return reshape(transpose(concat(perTap, 0), [1, 0]), [channels, 1, kh, kw]);
}

/** Every tap is one product of a row and a column for each channel of each image. */
function rowProducts(
  x: Value,
  dy: Value,
  [channels, kh, kw]: DepthwiseShape,
  { stride, padding, dilation }: Geometry,
): Value[] {
  const [n, , oh, ow] = dy.shape as [number, number, number, number];
  const padded = pad(x, [0, 0, padding, padding], [0, 0, padding, padding]);
  const errors = reshape(dy, [n * channels, oh * ow, 1]);
  return taps(kh, kw, dilation).map((tap) => {
    const pixels = reshape(seenBy(tap, padded, 2, oh, ow, stride), [n * channels, 1, oh * ow]);
    return sum(reshape(matmul(pixels, errors), [n, channels]), [0], { keep: true });
  });
}

/** Every tap is a sum over the pixels where image and output overlap when one is shifted by the tap. */
function overlaps(x: Value, dy: Value, [channels, kh, kw]: DepthwiseShape, geometry: Geometry): Value[] {
  return taps(kh, kw, geometry.dilation).map(({ row, column }) => {
    const rows = overlap(row, x.shape[2]!, dy.shape[2]!, geometry);
    const columns = overlap(column, x.shape[3]!, dy.shape[3]!, geometry);
    if (rows === null || columns === null) return filled([1, channels], 0);
    const pixels = cut(x, [
      { axis: 2, ...rows.input },
      { axis: 3, ...columns.input },
    ]);
    const errors = cut(dy, [
      { axis: 2, ...rows.output },
      { axis: 3, ...columns.output },
    ]);
    return reshape(sum(mul(pixels, errors), [0, 2, 3]), [1, channels]);
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** Along one axis: which outputs a tap serves from inside the image, and which inputs it serves them from. */
function overlap(
  tap: number,
  inputs: number,
  outputs: number,
  { stride, padding }: Geometry,
): { input: Span; output: Span } | null {
  const offset = tap - padding; // output o meets input o * stride + offset
  const first = Math.max(0, Math.ceil(-offset / stride));
  const last = Math.min(outputs - 1, Math.floor((inputs - 1 - offset) / stride));
  if (first > last) return null;
  return {
    input: { start: first * stride + offset, end: last * stride + offset + 1, step: stride },
    output: { start: first, end: last + 1, step: 1 },
  };
}
