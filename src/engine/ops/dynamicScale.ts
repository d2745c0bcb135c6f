import { constant, type Emitter, type Value } from "../graph/value.js";
import { int64 } from "../tensor/hostTensor.js";
import { defineSingle, requireRank, requireType } from "./defineOp.js";

/**
 * Scaling between sizes that only the runtime knows, like the ops of `dynamicShape`. Not ONNX's Resize: its antialiased form begins with
 * opset 18, leaves out what lies beyond the edge, and does not exist in WebGPU.
 */

/** What ONNX's Cast calls float32. */
const FLOAT = 1;

/** Steps of whole-number arithmetic on names of tensors. All of them are exact: sizes times sizes are far below 2^63. */
const arithmetic = (to: Emitter) => ({
  number: (value: number): string => to.name(constant(int64([], [value]))),
  extent: (x: Value, axis: number): string =>
    to.step("Squeeze", [to.step("Shape", [to.name(x)], { start: axis, end: axis + 1 })]),
  plus: (a: string, b: string): string => to.step("Add", [a, b]),
  minus: (a: string, b: string): string => to.step("Sub", [a, b]),
  times: (a: string, b: string): string => to.step("Mul", [a, b]),
  over: (a: string, b: string): string => to.step("Div", [a, b]),
  /** From one number up to another, without it. */
  range: (from: string, end: string, step: string): string => to.step("Range", [from, end, step]),
});

type Arithmetic = ReturnType<typeof arithmetic>;

/** Twice the places of `count` pixels: their centres 1, 3, 5, …, or with `first` 0 their upper left corners. */
const twicePlaces = ({ number, times, range }: Arithmetic, count: string, first: string): string =>
  range(first, times(count, number(2)), number(2));

/** An axis that is to get another length, both by name; its pixels are the rows of `x` [from, rest], bytes or levels. */
interface Axis {
  readonly x: string;
  readonly isBytes: boolean;
  readonly from: string;
  readonly length: string;
}

/**
 * One axis of an image at another length: [from, rest] -> levels [length, 1, rest]. The filter is a triangle as wide as the pixels of the
 * result, at least two pixels; beyond the edge lies the pixel at the edge. It stands over the centre of a pixel; where the axis gets
 * longer over its corner, as it does in libvips, which scales the images of training.
 *
 * The centre of pixel i is (2i + 1) from / 2length pixels of the old axis away from its edge. In units of 1 / 2length all places and
 * weights are whole numbers, so that only the division by their sum is rounded.
 */
function resampled(to: Emitter, { x, isBytes, from, length }: Axis): string {
  const all = arithmetic(to);
  const { number, plus, minus, times, over, range } = all;
  const unit = times(length, number(2));
  const first = to.step("Min", [over(from, length), number(1)]);
  // Half a pixel further along, so that none is negative and Div rounds down: a tap is one further than the pixel it stands for.
  const centres = to.step("Unsqueeze", [plus(times(twicePlaces(all, length, first), from), length), to.int64([1])]);
  const longer = to.step("Max", [from, length]);
  const side = over(minus(longer, number(1)), length);
  const taps = plus(over(centres, unit), range(to.step("Neg", [side]), plus(side, number(2)), number(1)));
  const apart = to.step("Abs", [minus(times(taps, unit), centres)]);
  const weights = to.step("Cast", [to.step("Max", [minus(times(longer, number(2)), apart), number(0)])], { to: FLOAT });
  const shares = to.step("Div", [weights, to.step("ReduceSum", [weights, to.int64([1])])]);
  const places = to.step("Clip", [minus(taps, number(1)), number(0), minus(from, number(1))]);
  const found = to.step("Gather", [x, places], { axis: 0 });
  const levels = isBytes ? to.step("Cast", [found], { to: FLOAT }) : found;
  return to.step("MatMul", [to.step("Unsqueeze", [shares, to.int64([1])]), levels]);
}

const widthAt = ([, h, w]: readonly number[], height: number): number => Math.round((w! * height) / h!);

const scaleOp = defineSingle<{ height: number }>({
  opType: "ScaleToHeight",
  infer([image], { height }, where) {
    requireType(where, image!, "uint8");
    requireRank(where, image!, 4, "[1, height, width, channels]");
    return { dtype: "float32", shape: [1, image!.shape[3]!, height, widthAt(image!.shape, height)] };
  },
  emit(to, { inputs: [image], attrs: { height } }) {
    const { number, extent, plus, times, over } = arithmetic(to);
    const channels = image!.shape[3]!;
    const [h, w] = [extent(image!, 1), extent(image!, 2)];
    // w * height / h, to the nearest whole number
    const width = over(plus(times(w, number(2 * height)), h), times(h, number(2)));
    const rows = resampled(to, {
      ...{ x: to.step("Flatten", [to.name(image!)], { axis: 2 }), isBytes: true },
      ...{ from: h, length: number(height) },
    });
    const turned = to.step("Transpose", [to.step("Reshape", [rows, to.int64([0, -1, channels])])], { perm: [1, 2, 0] });
    const columns = resampled(to, {
      ...{ x: to.step("Flatten", [turned], { axis: 1 }), isBytes: false },
      ...{ from: w, length: width },
    });
    const shaped = to.step("Reshape", [columns, to.int64([1, -1, channels, height])]);
    to.node("Transpose", [shaped], { perm: [0, 2, 3, 1] });
  },
});
/**
 * Images of bytes, [1, H, W, C], at a height, keeping their shape: levels [1, C, height, W'] from 0 to 255. Filtered with a triangle as
 * wide as the pixels of the result, as training filters images; one of that height is left as it is.
 */
export const scaleToHeight = (image: Value, height: number): Value => scaleOp([image], { height });

const nearestOp = defineSingle<{ axis: number; likeAxis: number }>({
  opType: "NearestPlaces",
  infer: ([, like], { likeAxis }) => ({ dtype: "int64", shape: [like!.shape[likeAxis]!] }),
  emit(to, { inputs: [x, like], attrs: { axis, likeAxis } }) {
    const all = arithmetic(to);
    const [from, length] = [all.extent(x!, axis), all.extent(like!, likeAxis)];
    to.node("Div", [all.times(twicePlaces(all, length, all.number(1)), from), all.times(length, all.number(2))]);
  },
});
/** For each pixel along an axis of `like`, the nearest one along an axis of x. */
export const nearestPlaces = (x: Value, axis: number, like: Value, likeAxis: number): Value =>
  nearestOp([x, like], { axis, likeAxis });
