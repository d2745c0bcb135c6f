import { constant, type Value } from "../graph/value.js";
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
 * One matrix product a point: tiles [points, T, C] times filters [points, O, C], turned.
 *
 * Evaluated filters are four times the size of the weights. Instead of keeping them for the way back they are evaluated
 * again there, already turned, which makes up for the time it takes.
 */
const productOp = defineSingle<None>({
  opType: "WinogradProduct",
  infer: ([tiles, filters]) => ({ dtype: tiles!.dtype, shape: [POINTS, tiles!.shape[1]!, filters!.shape[1]!] }),
  backward: (dy, { inputs: [tiles, , w] }) => [
    matmul(dy, evaluated(transpose(w!, [1, 0, 2, 3])), { transposeB: true }),
    matmul(dy, tiles!, { transposeA: true }),
    null,
  ],
  emit: (to, { inputs: [tiles, filters] }) =>
    to.node("MatMul", [to.name(tiles!), to.step("Transpose", [to.name(filters!)], { perm: [0, 2, 1] })]),
});

/**
 * 3x3 convolution of stride 1 that keeps height and width, with a quarter of the multiplications.
 *
 * x [N, C, H, W], w [O, C, 3, 3] -> [N, O, H, W]. All but one of its parts are products with constant matrices, the other
 * is one batch of matrix products; so both gradients come for free, and they too need a quarter of the multiplications.
 * With channels last, whatever has to be moved is moved in long pieces.
 */
export function winogradConv(x: Value, w: Value, dilation: number): Value {
  const [n, c, h, width] = x.shape as [number, number, number, number];
  const out = w.shape[0]!;
  const [rows, columns] = [tiledAxis(h, dilation), tiledAxis(width, dilation)];
  const [th, tw] = [rows.tiles, columns.tiles];
  const channelsLast = reshape(transpose(x, [0, 2, 3, 1]), [n, h, width * c]);
  const tall = matmul(constant(rows.prepare), channelsLast); // [N, TILE * th, W * C]
  const tiles = matmul(constant(columns.prepare), reshape(tall, [n * TILE * th, width, c])); // [N * TILE * th, TILE * tw, C]
  const pointsFirst = transpose(reshape(tiles, [n, TILE, th, TILE, tw, c]), [1, 3, 0, 2, 4, 5]);
  const products = productOp([reshape(pointsFirst, [POINTS, n * th * tw, c]), evaluated(w), w], {}); // [POINTS, N * th * tw, O]
  const imagesFirst = transpose(reshape(products, [TILE, TILE, n, th, tw, out]), [2, 0, 3, 1, 4, 5]);
  const narrow = matmul(constant(columns.interpolate), reshape(imagesFirst, [n * TILE * th, TILE * tw, out])); // [.., W, O]
  const y = matmul(constant(rows.interpolate), reshape(narrow, [n, TILE * th, width * out])); // [N, H, W * O]
  return transpose(reshape(y, [n, h, width, out]), [0, 3, 1, 2]);
}
