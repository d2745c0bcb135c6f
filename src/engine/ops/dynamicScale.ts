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
  plus: (a: string, b: string): string => to.step("Add", [a, b]),
  minus: (a: string, b: string): string => to.step("Sub", [a, b]),
  times: (a: string, b: string): string => to.step("Mul", [a, b]),
  over: (a: string, b: string): string => to.step("Div", [a, b]),
  most: (a: string, b: string): string => to.step("Max", [a, b]),
  least: (a: string, b: string): string => to.step("Min", [a, b]),
  largest: (a: string): string => to.step("ReduceMax", [a], { keepdims: 0 }),
  /** From one number up to another, without it. */
  range: (from: string, end: string, step: string): string => to.step("Range", [from, end, step]),
});

/** What the pixels of scaled rows and columns are made of, by name. */
interface Taps {
  /** Pixels of the old axis: [2, M, K]; what lies beyond an edge is the pixel at the edge. Of M, as many count as the new axis is long. */
  readonly places: string;
  /** Their shares, which sum to 1: [2, M, 1, K]. */
  readonly shares: string;
}

/**
 * Rows and columns at other lengths; `from` and `length` are [2, 1, 1]. The filter is a triangle as wide as the pixels of the result, at
 * least two pixels. It stands over the centre of a pixel; where the axis gets longer over its corner, as it does in libvips, which scales
 * the images of training.
 *
 * The centre of pixel i is (2i + 1) from / 2length pixels of the old axis away from its edge. In units of 1 / 2length all places and
 * weights are whole numbers, so that only the division by their sum is rounded.
 */
function tapsOf(to: Emitter, from: string, length: string): Taps {
  const { number, plus, minus, times, over, most, least, largest, range } = arithmetic(to);
  const [one, two] = [number(1), number(2)];
  const unit = times(length, two);
  const corners = to.step("Unsqueeze", [range(number(0), largest(unit), two), to.int64([1])]);
  const middle = least(over(from, length), one);
  // Half a pixel further along, so that none is negative and Div rounds down: a tap is one further than the pixel it stands for.
  const centres = plus(times(plus(corners, middle), from), length);
  const longer = most(from, length);
  const side = largest(over(minus(longer, one), length));
  const taps = plus(over(centres, unit), range(to.step("Neg", [side]), plus(side, two), one));
  const apart = to.step("Abs", [minus(times(taps, unit), centres)]);
  const weights = to.step("Cast", [most(minus(times(longer, two), apart), number(0))], { to: FLOAT });
  const shares = to.step("Div", [weights, to.step("ReduceSum", [weights, to.int64([2])])]);
  return {
    places: minus(most(least(taps, from), one), one),
    shares: to.step("Unsqueeze", [shares, to.int64([2])]),
  };
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
    const { number, plus, times, over } = arithmetic(to);
    const channels = image!.shape[3]!;
    const extent = to.step("Shape", [to.name(image!)], { start: 1, end: 3 });
    const h = to.step("Slice", [extent, to.int64([0]), to.int64([1])]);
    // extent * height / h, to the nearest whole number
    const seen = over(plus(times(extent, number(2 * height)), h), times(h, number(2)));
    const upright = (pair: string): string => to.step("Unsqueeze", [pair, to.int64([1, 2])]);
    const { places, shares } = tapsOf(to, upright(extent), upright(seen));
    const ends = [
      to.int64([1, height]),
      to.step("Concat", [to.int64([2]), to.step("Slice", [seen, to.int64([1]), to.int64([2])])], { axis: 0 }),
    ];
    /** x [H, rest] or [W, rest] at its new length: [1, length, 1, rest]. */
    const resampled = (axis: 0 | 1, x: string, levels: (found: string) => string = (found) => found): string => {
      const own = (taps: string): string =>
        to.step("Slice", [taps, to.int64([axis, 0]), ends[axis]!, to.int64([0, 1])]);
      return to.step("MatMul", [own(shares), levels(to.step("Gather", [x, own(places)], { axis: 0 }))]);
    };
    const rows = resampled(0, to.step("Flatten", [to.name(image!)], { axis: 2 }), (bytes) =>
      to.step("Cast", [bytes], { to: FLOAT }),
    );
    const turned = to.step("Transpose", [to.step("Reshape", [rows, to.int64([height, -1, channels])])], {
      perm: [1, 2, 0],
    });
    const columns = resampled(1, to.step("Flatten", [turned], { axis: 1 }));
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
    const { number, times, range } = arithmetic(to);
    const extent = (value: Value, at: number): string =>
      to.step("Squeeze", [to.step("Shape", [to.name(value)], { start: at, end: at + 1 })]);
    const unit = times(extent(like!, likeAxis), number(2));
    to.node("Div", [times(range(number(1), unit, number(2)), extent(x!, axis)), unit]);
  },
});
/** For each pixel along an axis of `like`, the nearest one along an axis of x. */
export const nearestPlaces = (x: Value, axis: number, like: Value, likeAxis: number): Value =>
  nearestOp([x, like], { axis, likeAxis });
