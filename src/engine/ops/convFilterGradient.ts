import type { Value } from "../graph/value.js";
import type { TensorType } from "../tensor/shape.js";
import type { Geometry } from "./convGeometry.js";
import { depthwiseGradient } from "./depthwiseGradient.js";
import { matmul } from "./matmul.js";
import { sum } from "./reduce.js";
import { concat, cut, pad, reshape, slice, transpose } from "./shaping.js";

/** The convolution whose gradient is asked for: how it moves, and the op itself, which the gradient is sometimes spelt with. */
export interface Convolution {
  readonly geometry: Geometry;
  readonly convolve: (x: Value, w: Value, geometry: Geometry) => Value;
}

/** Gradient of a convolution with respect to its filter: x [N, C, H, W], dy [N, out, H', W'] -> like w. */
export function filterGradient(x: Value, dy: Value, w: TensorType, convolution: Convolution): Value {
  const { geometry } = convolution;
  const { groups } = geometry;
  const [out, perGroup, kh, kw] = w.shape as [number, number, number, number];
  if (perGroup === 1 && out === groups) return depthwiseGradient(x, dy, [kh, kw], geometry);
  if (groups === 1) return denseGradient(x, dy, [out, perGroup, kh, kw], convolution);
  const each = Array.from({ length: groups }, (_, g) =>
    denseGradient(
      slice(x, 1, g * perGroup, (g + 1) * perGroup),
      slice(dy, 1, (g * out) / groups, ((g + 1) * out) / groups),
      [out / groups, perGroup, kh, kw],
      convolution,
    ),
  );
  return concat(each, 0);
}

type FilterShape = readonly [out: number, channels: number, height: number, width: number];

/** Images of fewer channels than this make matrices too narrow to multiply well. */
const FEW_CHANNELS = 8;

function denseGradient(x: Value, dy: Value, filter: FilterShape, convolution: Convolution): Value {
  const { geometry } = convolution;
  const [, channels, kh, kw] = filter;
  if (kh * kw === 1 && geometry.stride === 1 && geometry.padding === 0) return pointGradient(x, dy);
  return channels < FEW_CHANNELS ? swappedGradient(x, dy, filter, convolution) : tapGradient(x, dy, filter, geometry);
}

/**
 * The image convolved with the errors: what was a batch becomes channels, what was the stride becomes a dilation.
 *
 * A filter tap k sums x[o * stride + k * dilation - padding] * dy[o] over outputs o, so outputs dilate and taps stride.
 */
function swappedGradient(
  x: Value,
  dy: Value,
  [out, channels, kh, kw]: FilterShape,
  { geometry, convolve }: Convolution,
): Value {
  const { stride, padding, dilation } = geometry;
  const batchLast = (value: Value): Value => transpose(value, [1, 0, 2, 3]);
  const taps = convolve(batchLast(x), batchLast(dy), { stride: dilation, padding, dilation: stride, groups: 1 });
  // Where the strides do not come out even there are taps beyond the filter's last.
  const own = cut(taps, [
    { axis: 2, start: 0, end: kh },
    { axis: 3, start: 0, end: kw },
  ]);
  return reshape(transpose(own, [1, 0, 2, 3]), [out, channels, kh, kw]);
}

/** A 1x1 filter meets each pixel once: one product an image, summed, with nothing to rearrange. */
function pointGradient(x: Value, dy: Value): Value {
  const [n, channels, h, w] = x.shape as [number, number, number, number];
  const out = dy.shape[1]!;
  const products = matmul(reshape(dy, [n, out, h * w]), reshape(x, [n, channels, h * w]), { transposeB: true });
  return reshape(sum(products, [0]), [out, channels, 1, 1]);
}

/** One tap of a filter: which row and column of the padded image it meets first. */
interface Tap {
  readonly row: number;
  readonly column: number;
}

/** The taps of a filter, row by row. */
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

/** Every tap is one matrix product over all pixels of the batch; channels last makes both factors plain matrices. */
function tapGradient(x: Value, dy: Value, [out, channels, kh, kw]: FilterShape, geometry: Geometry): Value {
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
