import type { Value } from "../../engine/graph/value.js";
import { concat, cut, flip, slice } from "../../engine/ops/shaping.js";
import { UserError } from "../../platform/errors.js";

/** Height and width that suit every output stride. */
export const MULTIPLE = 16;

/**
 * Runs a network on images of any size: they are continued to the right and below by their mirror image until the network takes
 * them, and the answer is cropped to their own size.
 *
 * images [N, C, H, W]; `network` gives something of the height and width it was given, e.g. `upsampleScores(…)`.
 */
export function atAnySize(images: Value, network: (images: Value) => Value): Value {
  return cropTo(network(mirroredTo(images, MULTIPLE)), images.shape.slice(2));
}

/** Images continued to the right and below by reflection, to a multiple of so many pixels. */
export function mirroredTo(images: Value, multiple = MULTIPLE): Value {
  return [2, 3].reduce((x, axis) => {
    const wanted = Math.ceil(x.shape[axis]! / multiple) * multiple;
    let wide = x;
    // A mirror image is one pixel shorter than the image: a very small one is reflected again and again.
    while (wide.shape[axis]! < wanted) wide = reflected(wide, axis, wanted - wide.shape[axis]!);
    return wide;
  }, images);
}

/** Up to so many more pixels. Not ONNX's own reflecting Pad, so that images have a gradient, too. */
function reflected(x: Value, axis: number, more: number): Value {
  const extent = x.shape[axis]!;
  if (extent === 1) return concat([x, x], axis);
  const count = Math.min(more, extent - 1);
  return concat([x, flip(slice(x, axis, extent - 1 - count, extent - 1), [axis])], axis);
}

/** The top left corner of this height and width. */
export function cropTo(x: Value, [height, width]: readonly number[]): Value {
  const [, , h, w] = x.shape as [number, number, number, number];
  if (height === undefined || width === undefined || height > h || width > w) {
    throw new UserError(`cannot crop ${h} x ${w} (height x width) to ${height} x ${width}`, {
      hint: "bring scores to the size of the image first: upsampleScores",
    });
  }
  return cut(x, [
    { axis: 2, start: 0, end: height },
    { axis: 3, start: 0, end: width },
  ]);
}
