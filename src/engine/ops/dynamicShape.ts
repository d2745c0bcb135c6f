import { UserError } from "../../platform/errors.js";
import { constant, type Value } from "../graph/value.js";
import { float32 } from "../tensor/hostTensor.js";
import type { Alignment } from "../tensor/interpolation.js";
import { show } from "../tensor/shape.js";
import { defineSingle } from "./defineOp.js";

/**
 * Ops whose ONNX spelling holds for every height and width: a graph is built at one size, and the model written from it
 * (`writeModel` with `open`) takes all. No gradients: training knows its sizes, and has faster spellings.
 *
 * Height and width are two neighbouring axes, the first of which is named: 2 for [N, C, H, W], 1 for [N, H, W, C].
 */
type Place = { readonly axis: number };

const extentOf = (x: { readonly shape: readonly number[] }, axis: number): readonly number[] =>
  x.shape.slice(axis, axis + 2);
const withExtent = (shape: readonly number[], axis: number, extent: readonly number[]): readonly number[] =>
  shape.toSpliced(axis, 2, ...extent);

const mirrorOp = defineSingle<Place & { multiple: number }>({
  opType: "MirrorPad",
  infer([x], { axis, multiple }, where) {
    const extent = extentOf(x!, axis);
    const wanted = extent.map((pixels) => Math.ceil(pixels / multiple) * multiple);
    // A mirror image is one pixel shorter than the image.
    if (wanted.some((pixels, i) => pixels > 2 * extent[i]! - 1)) {
      throw new UserError(`${where}: ${show(x!)} is too small to be mirrored to ${wanted.join(" x ")}`);
    }
    return { dtype: x!.dtype, shape: withExtent(x!.shape, axis, wanted) };
  },
  emit(to, { inputs: [x], attrs: { axis, multiple } }) {
    const extent = to.step("Shape", [to.name(x!)], { start: axis, end: axis + 2 });
    const missing = to.step("Mod", [to.step("Neg", [extent]), to.int64([multiple])]);
    const none = (count: number): string[] => (count === 0 ? [] : [to.int64(new Array<number>(count).fill(0))]);
    const rank = x!.shape.length;
    const pads = to.step("Concat", [...none(rank + axis), missing, ...none(rank - axis - 2)], { axis: 0 });
    to.node("Pad", [to.name(x!), pads], { mode: "reflect" });
  },
});
/** Continued to the right and below by its mirror image, to a multiple of so many pixels. */
export const mirrorPad = (x: Value, axis: number, multiple: number): Value => mirrorOp([x], { axis, multiple });

const enlargeOp = defineSingle<Place & { times: number; alignment: Alignment }>({
  opType: "Enlarge",
  infer: ([x], { axis, times }) => ({
    dtype: x!.dtype,
    shape: withExtent(
      x!.shape,
      axis,
      extentOf(x!, axis).map((pixels) => pixels * times),
    ),
  }),
  emit(to, { inputs: [x], attrs: { axis, times, alignment } }) {
    const factors = x!.shape.map((_, i) => (i === axis || i === axis + 1 ? times : 1));
    const scales = to.name(constant(float32([factors.length], factors)));
    to.node("Resize", [to.name(x!), "", scales], {
      mode: "linear",
      coordinate_transformation_mode: alignment === "corners" ? "align_corners" : "half_pixel",
    });
  },
});
/** So many times as high and wide, bilinearly. */
export const enlarge = (x: Value, axis: number, times: number, alignment: Alignment): Value =>
  times === 1 ? x : enlargeOp([x], { axis, times, alignment });

const spreadOp = defineSingle<Place>({
  opType: "SpreadLike",
  infer: ([x, like], { axis }) => ({ dtype: x!.dtype, shape: withExtent(x!.shape, axis, extentOf(like!, axis)) }),
  emit(to, { inputs: [x, like], attrs: { axis } }) {
    const rank = x!.shape.length;
    const ones = (count: number): string[] => (count === 0 ? [] : [to.int64(new Array<number>(count).fill(1))]);
    const extent = to.step("Shape", [to.name(like!)], { start: axis, end: axis + 2 });
    const shape = to.step("Concat", [...ones(axis), extent, ...ones(rank - axis - 2)], { axis: 0 });
    to.node("Expand", [to.name(x!), shape]);
  },
});
/** A single pixel repeated to the height and width of another tensor. */
export const spreadLike = (x: Value, axis: number, like: Value): Value => spreadOp([x, like], { axis });
