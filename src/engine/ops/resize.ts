import { UserError } from "../../platform/errors.js";
import { constant, type Value } from "../graph/value.js";
import { transposed } from "../tensor/hostTensor.js";
import { type Alignment, interpolation } from "../tensor/interpolation.js";
import { show } from "../tensor/shape.js";
import { matmul } from "./matmul.js";
import { reshape } from "./shaping.js";

/** Bilinear resize as two matrix products: faster than ONNX's Resize in both directions, and differentiable for free. */
export function resizeBilinear(x: Value, [height, width]: readonly [number, number], alignment: Alignment): Value {
  const [, , h, w] = x.shape as [number, number, number, number];
  const wide = w === width ? x : matmul(x, constant(transposed(interpolation(w, width, alignment)))); // [N, C, h, width]
  return h === height ? wide : matmul(constant(interpolation(h, height, alignment)), wide); // [N, C, height, width]
}

/**
 * Crop and resize every sample its own way.
 *
 * x [N, C, H, W], rows [N, H', H], columns [N, W', W] (see `interpolation`) -> [N, C, H', W'].
 */
export function cropAndResize(x: Value, rows: Value, columns: Value): Value {
  const [n, , h, w] = x.shape as [number, number, number, number];
  const fits = (m: Value, pixels: number): boolean => m.shape.length === 3 && m.shape[0] === n && m.shape[2] === pixels;
  if (!fits(rows, h) || !fits(columns, w)) {
    throw new UserError(
      `cropAndResize: rows ${show(rows.type)} and columns ${show(columns.type)} do not sample ${show(x.type)}`,
      {
        hint: `wanted [${n}, height, ${h}] and [${n}, width, ${w}]`,
      },
    );
  }
  const perChannel = (m: Value): Value => reshape(m, [n, 1, m.shape[1]!, m.shape[2]!]);
  return matmul(perChannel(rows), matmul(x, perChannel(columns), { transposeB: true }));
}
