import { constant, type Value } from "../graph/value.js";
import { transposed } from "../tensor/hostTensor.js";
import { filterEvaluation, TILE, tiledAxis } from "../tensor/winograd.js";
import { defineSingle } from "./defineOp.js";
import type { None } from "./elementwise.js";
import { matmul } from "./matmul.js";
import { reshape, transpose } from "./shaping.js";

/** Points of a tile of six by six. */
const POINTS = TILE * TILE;

/** The filters of w [A, B, 3, 3] at every point: [points, A, B]. */
function evaluated(w: Value): Value {
  const [a, b] = w.shape as [number, number];
  const atPoints = matmul(constant(filterEvaluation()), reshape(w, [a * b, 9]), { transposeB: true });
  return reshape(atPoints, [POINTS, a, b]);
}

/**
 * One matrix product a point: filters [points, O, C] times tiles [points, C, T].
 *
 * Evaluated filters are four times the size of the weights. Instead of keeping them for the way back they are evaluated
 * again there, already turned, which makes up for the time it takes.
 */
const productOp = defineSingle<None>({
  opType: "WinogradProduct",
  infer: ([filters, tiles]) => ({ dtype: tiles!.dtype, shape: [POINTS, filters!.shape[1]!, tiles!.shape[2]!] }),
  backward: (dy, { inputs: [, tiles, w] }) => [
    matmul(dy, tiles!, { transposeB: true }),
    matmul(evaluated(transpose(w!, [1, 0, 2, 3])), dy),
    null,
  ],
  emit: (to, { inputs: [filters, tiles] }) => to.node("MatMul", [to.name(filters!), to.name(tiles!)]),
});

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
  const wide = matmul(x, constant(transposed(columns.prepare))); // [N, C, H, TILE * tw]
  const tiles = matmul(constant(rows.prepare), wide); // [N, C, TILE * th, TILE * tw]
  const pointsFirst = transpose(reshape(tiles, [n, c, TILE, th, TILE, tw]), [2, 4, 1, 0, 3, 5]);
  const products = productOp([evaluated(w), reshape(pointsFirst, [POINTS, c, n * th * tw]), w], {}); // [POINTS, O, N * th * tw]
  const imagesFirst = transpose(reshape(products, [TILE, TILE, out, n, th, tw]), [3, 2, 0, 4, 1, 5]);
  const narrow = matmul(
    reshape(imagesFirst, [n, out, TILE * th, TILE * tw]),
    constant(transposed(columns.interpolate)),
  );
  return matmul(constant(rows.interpolate), narrow); // [N, O, H, W]
}
