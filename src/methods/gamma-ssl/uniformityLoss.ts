import { constant, type Value } from "../../engine/graph/value.js";
import { add, cast, exp, greater, log, mul, number, scale, shift } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { sum } from "../../engine/ops/reduce.js";
import { concat, reshape, slice, transpose } from "../../engine/ops/shaping.js";
import { withGradient } from "../../engine/ops/withGradient.js";
import { float32 } from "../../engine/tensor/hostTensor.js";

export interface UniformityOptions {
  /** Wang and Isola's logarithm of the mean over pairs, or Eq. 9 as printed: a sum over pairs for each point. */
  readonly form: "log-mean" | "paper-sum";
  /** t: how fast a pair's influence falls with its squared distance. */
  readonly sharpness?: number;
  /** Points whose distances to each other are held at a time. */
  readonly block?: number;
}

/** Distances between 1024 points take 4 MB: all of a usual batch at once. */
const BLOCK = 1024;

/**
 * L_u (Eq. 9): how close together embeddings lie on the unit sphere; smaller is more evenly spread.
 *
 * embeddings [N, F, h_u, w_u] of length 1. A single point has no pair, and loss 0.
 */
export function uniformityLoss(embeddings: Value, { form, sharpness = 2, block = BLOCK }: UniformityOptions): Value {
  const [n, f, h, w] = embeddings.shape as [number, number, number, number];
  const count = n * h * w;
  if (count < 2) return number(0);
  const points = reshape(transpose(embeddings, [0, 2, 3, 1]), [count, f]);
  const potential = pairPotential(points, sharpness, block);
  // Σ over i ≠ j counts every pair twice.
  return form === "log-mean" ? log(scale(potential, 2 / (count * (count - 1)))) : scale(potential, 2 / count);
}

/**
 * Σ_{i<j} exp(-t ‖z_i - z_j‖²) over unit vectors: points [M, F] -> scalar.
 *
 * Block by block: a block's kernel gives its share of the sum and of the slope and is then forgotten, so that memory grows with
 * M and not with M². On the unit sphere ‖z_i - z_j‖² = 2 - 2 z_i·z_j, hence the slope along z_i is 2t Σ_j kernel_ij z_j.
 */
function pairPotential(points: Value, sharpness: number, block: number): Value {
  const parts = blocksOf(points, block);
  const sums: Value[] = [];
  const slopes: Value[][] = parts.map(() => []);
  parts.forEach((left, i) => {
    parts.slice(i).forEach((right, ahead) => {
      const j = i + ahead;
      const products = matmul(left, right, { transposeB: true }); // z_i·z_j, [rows, columns]
      const near = exp(scale(shift(products, -1), 2 * sharpness));
      const kernel = i === j ? mul(near, above(left.shape[0]!)) : near;
      sums.push(sum(kernel));
      slopes[i]!.push(matmul(kernel, right));
      slopes[j]!.push(matmul(kernel, left, { transposeA: true }));
    });
  });
  const total = (values: readonly Value[]): Value => values.reduce((a, b) => add(a, b));
  const slope = scale(concat(slopes.map(total), 0), 2 * sharpness);
  return withGradient(total(sums), points, slope);
}

function blocksOf(points: Value, block: number): Value[] {
  const count = points.shape[0]!;
  return Array.from({ length: Math.ceil(count / block) }, (_, i) =>
    slice(points, 0, i * block, Math.min(count, (i + 1) * block)),
  );
}

/** 1 above the diagonal, 0 elsewhere: every pair within a block once. Made of two short vectors when it runs. */
function above(side: number): Value {
  const places = Array.from({ length: side }, (_, i) => i);
  return cast(greater(constant(float32([1, side], places)), constant(float32([side, 1], places))), "float32");
}
