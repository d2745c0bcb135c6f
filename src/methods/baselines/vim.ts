import { EigenvalueDecomposition, Matrix, pseudoInverse } from "ml-matrix";
import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { cast, equal, mul, not, sqrt, square, sub } from "../../engine/ops/elementwise.js";
import { logSumExp, max, sum } from "../../engine/ops/reduce.js";
import { reshape, squeeze } from "../../engine/ops/shaping.js";
import { float32, floats, int64, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { type FitContext, type FitPass, inTurn, type LabelledOutputs } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { ClassMoments, type Moments, meanOf, pixelsOf, seenClasses } from "./classMoments.js";

/** Dimensions of the space in which features of the source live: half of all, the authors' rule below 768 features (B-9). */
const principalDimensions = (features: number): number => Math.floor(features / 2);

/**
 * Virtual-logit matching (Wang et al., 2022; B-9): how far features leave the space the source fills, as the score of one more
 * class. u = α|r| - log Σ e^s, which orders pixels as the probability of that class does, and does not saturate.
 */
export const vim: OnePassMethod = {
  name: "vim",
  title: "ViM",
  family: "representation",
  network: "source",
  kind: "one-pass",
  fit(context) {
    const { classes, features } = context;
    const moments = new ClassMoments({ features, classes: classes.length, spread: "tied" });
    let space: Tensors = {};
    const level = new VirtualLevel(() => space);
    const spaceFound = (): FitPass => {
      space = residualSpace(moments, context);
      return level;
    };
    return inTurn([() => moments, spaceFound], () => ({
      tensors: { ...space, alpha: scalar(level.alpha) },
      remarks: [],
    }));
  },
  score({ features, logits, predicted, enlarge }, fitted) {
    const virtual = mul(residual(features, fitted), constant(fitted.alpha!));
    return { predicted, uncertainty: squeeze(enlarge(sub(virtual, logSumExp(logits, [1]))), 1) };
  },
};

/** Where no class is preferred, o = -W⁺b; and the directions in which the source spreads least around it. */
function residualSpace(moments: Moments, { head, features }: FitContext): Tensors {
  const classes = head.bias.shape[0]!;
  const weight = Matrix.from1DArray(classes, features, floats(head.weight, "head weight"));
  const bias = Matrix.columnVector(floats(head.bias, "head bias"));
  const origin = Float64Array.from(pseudoInverse(weight).mmul(bias).mul(-1).to1DArray());
  const covariance = around(origin, moments);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(covariance, { assumeSymmetric: true });
  const least = realEigenvalues
    .map((value, column) => ({ value, column }))
    .sort((a, b) => a.value - b.value)
    .slice(0, features - principalDimensions(features));
  const directions = least.flatMap(({ column }) => eigenvectorMatrix.getColumn(column));
  return {
    origin: float32([features], Float32Array.from(origin)),
    directions: float32([least.length, features], directions),
  };
}

/** Mean of (ẑ - o)(ẑ - o)ᵀ over all pixels: what is within the classes, and how far their means are from o. */
function around(origin: Float64Array, moments: Moments): Matrix {
  const { features: f, counts, scatter } = moments;
  const total = pixelsOf(moments);
  const matrix = new Matrix(f, f);
  const off = seenClasses(moments).map((k) => ({
    share: counts[k]! / total,
    by: meanOf(moments, k).map((value, i) => value - origin[i]!),
  }));
  for (let i = 0; i < f; i++) {
    for (let j = 0; j <= i; j++) {
      const within = (scatter[i * f + j]! + scatter[j * f + i]!) / 2 / total;
      const value = off.reduce((sofar, { share, by }) => sofar + share * by[i]! * by[j]!, within);
      matrix.set(i, j, value);
      matrix.set(j, i, value);
    }
  }
  return matrix;
}

/** Length of what is left of the features outside the source's space: [N, F, h, w] -> [N, 1, h, w]. */
function residual(features: Value, { origin, directions }: Tensors): Value {
  const [count, f] = directions!.shape as [number, number];
  const centred = sub(features, reshape(constant(origin!), [1, f, 1, 1]));
  const left = conv2d(centred, reshape(constant(directions!), [count, f, 1, 1]));
  return sqrt(sum(square(left), [1], { keep: true }));
}

/** α: brings residuals to the level of the largest scores, Σ max s / Σ |r| over the labelled pixels of the source. */
class VirtualLevel implements FitPass {
  readonly #space: () => Tensors;
  #scores = 0;
  #residuals = 0;

  constructor(space: () => Tensors) {
    this.#space = space;
  }

  measure({ features, logits, cells }: LabelledOutputs): Record<string, Value> {
    const [n, , h, w] = logits.shape as [number, number, number, number];
    const isVoid = equal(reshape(cells, [n, 1, h, w]), constant(int64([], [VOID_LABEL])));
    const labelled = cast(not(isVoid), "float32");
    return {
      scores: sum(mul(max(logits, [1], { keep: true }), labelled)),
      residuals: sum(mul(residual(features, this.#space()), labelled)),
    };
  }

  add({ scores, residuals }: Tensors): void {
    this.#scores += floats(scores, "scores")[0]!;
    this.#residuals += floats(residuals, "residuals")[0]!;
  }

  get alpha(): number {
    // Where the source never leaves its space, any residual at all is strange; the level then does not matter.
    return this.#residuals > 0 ? this.#scores / this.#residuals : 1;
  }
}
