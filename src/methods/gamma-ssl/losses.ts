import { within } from "../../engine/graph/path.js";
import { constant, type Value } from "../../engine/graph/value.js";
import {
  add,
  cast,
  div,
  equal,
  exp,
  greater,
  log,
  maximum,
  mul,
  not,
  number,
  scale,
  shift,
  stopGradient,
  sub,
  where,
} from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { averagePool } from "../../engine/ops/pool.js";
import { logSumExp, max, mean, sum } from "../../engine/ops/reduce.js";
import { concat, reshape, slice, transpose } from "../../engine/ops/shaping.js";
import { withGradient } from "../../engine/ops/withGradient.js";
import { float32, int64 } from "../../engine/tensor/hostTensor.js";
import type { Pass, PassOptions } from "../../networks/layers/pass.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import type { Crop } from "./batchInputs.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions, LossName } from "./options.js";
import type { Prototypes } from "./prototypes.js";

/** Everything a stage of training is built from. */
export interface StageParts {
  readonly options: GammaOptions;
  readonly network: GammaNetwork;
  /** Gives the target of L_c: the network itself, or its average. */
  readonly teacher: GammaNetwork;
  /** A pass that learns: by batch statistics, or by running ones where they are frozen. */
  readonly pass: (options?: PassOptions) => Pass;
  readonly crop: Crop;
  readonly classes: number;
  readonly things: readonly number[];
}

export type Losses = Readonly<Partial<Record<LossName, Value>>>;

/** L_s (Eq. 11): cross-entropy of the head, at temperature 1. features [N, F, h, w], labels int64 [N, H, W]. */
export function supervisedLoss({ options, network, pass }: StageParts, features: Value, labels: Value): Value {
  return within("supervised", () => {
    const loss = crossEntropy(upsampleScores(network.head(features, pass())), labels);
    if (options.supervisedOver === "labelled") return loss;
    const labelled = cast(not(equal(labels, constant(int64([], [VOID_LABEL])))), "float32");
    return mul(loss, mean(labelled));
  });
}

/** L_u (Eq. 9) of features [N, F, h, w], averaged over cells before they are projected. */
export function spreadLoss({ options, network }: StageParts, features: Value, pass: Pass): Value {
  const { pooling, form, sharpness } = options.uniformity;
  return within("uniformity", () =>
    uniformityLoss(network.project(averagePool(features, pooling), pass), { form, sharpness }),
  );
}

/**
 * Cross-entropy of two distributions over classes, H[p', p] = -Σ_k p'_k log p_k, for every pixel.
 *
 * Scores [N, K, H, W], already divided by their temperatures -> [N, 1, H, W]. p' is the target and a constant. Since p' adds
 * up to 1, H is log Σ exp(s) less the mean of s under p'; p' itself need not be written out.
 */
function crossEntropyBetween(target: Value, query: Value): Value {
  const fixed = stopGradient(target);
  const share = exp(sub(fixed, max(fixed, [1], { keep: true }))); // p' times a number of each pixel
  const meanScore = div(sum(mul(share, query), [1], { keep: true }), sum(share, [1], { keep: true }));
  return sub(logSumExp(query, [1]), meanScore);
}

/**
 * L_c (Eq. 8): how far the prototype branch (query) is from the head's branch (target), over the pixels that are certain.
 *
 * target and query [N, K, H, W], sharpened and lying on each other; weight [N, H, W] is M_γ, hard or soft. Only the query
 * learns. A batch without a certain pixel has loss 0 and no slope.
 */
export function consistencyLoss(target: Value, query: Value, weight: Value): Value {
  const [n, , h, w] = query.shape as [number, number, number, number];
  const fixed = stopGradient(reshape(weight, [n, 1, h, w]));
  // Weights are 0 or 1, or soft with a largest of 1: their sum is 0 or at least 1.
  return div(sum(mul(crossEntropyBetween(target, query), fixed)), maximum(sum(fixed), number(1)));
}

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

/**
 * L_p (Eq. 10): the similarity of each prototype to its nearest neighbour, on average.
 *
 * The mean goes over the classes that have a prototype, which are all K of them but in the first steps. Prototypes taken from
 * the history push others away and are not moved themselves.
 */
export function prototypeLoss({ vectors, seen }: Prototypes): Value {
  const classes = vectors.shape[1]!;
  const similarity = matmul(vectors, vectors, { transposeA: true }); // [K, K]
  const others = sub(similarity, constant(float32([classes, classes], twiceIdentity(classes)))); // pᵀp - 2I
  const nearest = max(where(seen, others, number(-2)), [1]); // [K]; a class without a prototype is no neighbour
  const counted = cast(seen, "float32");
  return div(sum(mul(nearest, counted)), maximum(sum(counted), number(1)));
}

const twiceIdentity = (side: number): number[] =>
  Array.from({ length: side * side }, (_, i) => (i % (side + 1) === 0 ? 2 : 0));
