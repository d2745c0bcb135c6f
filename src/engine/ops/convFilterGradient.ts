import type { Value } from "../graph/value.js";
import type { TensorType } from "../tensor/shape.js";
import type { Geometry } from "./conv.js";
import { filled, mul } from "./elementwise.js";
import { matmul } from "./matmul.js";
import { sum } from "./reduce.js";
import { concat, cut, pad, reshape, slice, transpose } from "./shaping.js";

interface Span {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** One tap of a filter: which row and column of the padded image it meets first. */
interface Tap {
  readonly row: number;
  readonly column: number;
}

/** Gradient of a convolution with respect to its filter: x [N, C, H, W], dy [N, out, H', W'] -> like w. */
export function filterGradient(x: Value, dy: Value, w: TensorType, geometry: Geometry): Value {
  const [out, perGroup, kh, kw] = w.shape as [number, number, number, number];
  if (geometry.groups === 1 && kh === 1 && kw === 1 && geometry.stride === 1 && geometry.padding === 0)
    return pointGradient(x, dy);
  if (geometry.groups === 1) return denseGradient(x, dy, [out, perGroup, kh, kw], geometry);
  if (perGroup === 1 && out === geometry.groups) return depthwiseGradient(x, dy, [out, kh, kw], geometry);
  const { groups } = geometry;
  const inputs = x.shape[1]! / groups;
  const filters = out / groups;
  const each = Array.from({ length: groups }, (_, g) =>
    denseGradient(
      slice(x, 1, g * inputs, (g + 1) * inputs),
      slice(dy, 1, g * filters, (g + 1) * filters),
      [filters, inputs, kh, kw],
      geometry,
    ),
  );
  return concat(each, 0);
}

function taps(kh: number, kw: number, dilation: number): Tap[] {
  return Array.from({ length: kh * kw }, (_, i) => ({
    row: Math.floor(i / kw) * dilation,
    column: (i % kw) * dilation,
  }));
}

/** The pixels one tap meets, for every output pixel. rowAxis is the axis of image rows; columns follow it. */
function seenBy(
  { row, column }: Tap,
  padded: Value,
  rowAxis: number,
  rows: number,
  columns: number,
  stride: number,
): Value {
  return cut(padded, [
    { axis: rowAxis, start: row, end: row + (rows - 1) * stride + 1, step: stride },
    { axis: rowAxis + 1, start: column, end: column + (columns - 1) * stride + 1, step: stride },
  ]);
}

/** A 1x1 filter meets each pixel once: one product an image, summed, with nothing to rearrange. */
function pointGradient(x: Value, dy: Value): Value {
  const [n, channels, h, w] = x.shape as [number, number, number, number];
  const out = dy.shape[1]!;
  const products = matmul(reshape(dy, [n, out, h * w]), reshape(x, [n, channels, h * w]), { transposeB: true });
  return reshape(sum(products, [0]), [out, channels, 1, 1]);
}

/** Every tap is one matrix product over all pixels of the batch; channels last makes both factors plain matrices. */
function denseGradient(
  x: Value,
  dy: Value,
  [out, channels, kh, kw]: readonly [number, number, number, number],
  geometry: Geometry,
): Value {
  const { stride, padding, dilation } = geometry;
  const [n, , oh, ow] = dy.shape as [number, number, number, number];
  const pixels = n * oh * ow;
  const channelsLast = pad(transpose(x, [0, 2, 3, 1]), [0, padding, padding, 0], [0, padding, padding, 0]);
  const errors = reshape(transpose(dy, [1, 0, 2, 3]), [out, pixels]);
  const products = taps(kh, kw, dilation).map((tap) =>
    matmul(errors, reshape(seenBy(tap, channelsLast, 1, oh, ow, stride), [pixels, channels])),
  );
  const stacked = concat(
    products.map((product) => reshape(product, [1, out, channels])),
    0,
  );
  return reshape(transpose(stacked, [1, 2, 0]), [out, channels, kh, kw]);
}

/** Every tap is a sum over the pixels where image and output overlap when one is shifted by the tap. */
function depthwiseGradient(
  x: Value,
  dy: Value,
  [channels, kh, kw]: readonly [number, number, number],
  geometry: Geometry,
): Value {
  const products = taps(kh, kw, geometry.dilation).map(({ row, column }) => {
    const rows = overlap(row, x.shape[2]!, dy.shape[2]!, geometry);
    const columns = overlap(column, x.shape[3]!, dy.shape[3]!, geometry);
    if (rows === null || columns === null) return filled([1, channels, 1, 1], 0);
    const pixels = cut(x, [
      { axis: 2, ...rows.input },
      { axis: 3, ...columns.input },
    ]);
    const errors = cut(dy, [
      { axis: 2, ...rows.output },
      { axis: 3, ...columns.output },
    ]);
    return sum(mul(pixels, errors), [0, 2, 3], { keep: true });
  });
  return reshape(transpose(concat(products, 0), [1, 0, 2, 3]), [channels, 1, kh, kw]);
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
