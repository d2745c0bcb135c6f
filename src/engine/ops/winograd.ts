import { constant, type Value } from "../graph/value.js";
import { transposed } from "../tensor/hostTensor.js";
import { filterEvaluation, TILE, tiledAxis } from "../tensor/winograd.js";
import { matmul } from "./matmul.js";
import { reshape, transpose } from "./shaping.js";

/**
 * 3x3 convolution of stride 1 that keeps height and width, with a quarter of the multiplications.
 *
 * x [N, C, H, W], w [O, C, 3, 3] -> [N, O, H, W]. All but one of its parts are products with constant matrices, the other
 * is one batch of matrix products; so both gradients come for free, and they too need a quarter of the multiplications.
 */
export function winogradConv(x: Value, w: Value, dilation: number): Value {
  const [n, c, h, width] = x.shape as [number, number, number, number];
  const out = w.shape[0]!;
  const [rows, columns] = [tiledAxis(h, dilation), tiledAxis(width, dilation)];
  const [th, tw] = [rows.tiles, columns.tiles];
  const points = TILE * TILE;

  const filters = reshape(matmul(constant(filterEvaluation()), reshape(w, [out * c, 9]), { transposeB: true }), [
    points,
    out,
    c,
  ]);
  const wide = matmul(x, constant(transposed(columns.prepare))); // [N, C, H, TILE * tw]
  const tiles = matmul(constant(rows.prepare), wide); // [N, C, TILE * th, TILE * tw]
  const pointsFirst = transpose(reshape(tiles, [n, c, TILE, th, TILE, tw]), [2, 4, 1, 0, 3, 5]);
  const products = matmul(filters, reshape(pointsFirst, [points, c, n * th * tw])); // [points, O, N * th * tw]
  const imagesFirst = transpose(reshape(products, [TILE, TILE, out, n, th, tw]), [3, 2, 0, 4, 1, 5]);
  const narrow = matmul(
    reshape(imagesFirst, [n, out, TILE * th, TILE * tw]),
    constant(transposed(columns.interpolate)),
  );
  return matmul(constant(rows.interpolate), narrow); // [N, O, H, W]
}
