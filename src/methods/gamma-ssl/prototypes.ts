import type { Value } from "../../engine/graph/value.js";
import { greater, number, or, square, stopGradient, where } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { l2Normalise, oneHot, sum } from "../../engine/ops/reduce.js";
import { reshape } from "../../engine/ops/shaping.js";

/** One vector a class: p_S of the paper. */
export interface Prototypes {
  /** [F, K]: columns of length 1, or of zeros for classes never seen. */
  readonly vectors: Value;
  /** bool [K]: the classes that have a prototype. */
  readonly seen: Value;
}

/**
 * The embeddings of each class, added up: Z_Sᵀ Y_S of Eq. 1, not yet normalised.
 *
 * embeddings [N, F, h, w], cells int64 [N, h, w] -> sums [F, K] and pixels [K]. Void cells belong to no class.
 */
export function classSums(embeddings: Value, cells: Value, classes: number): { sums: Value; pixels: Value } {
  const [n, f, h, w] = embeddings.shape as [number, number, number, number];
  const labels = oneHot(reshape(cells, [n, h * w]), classes, 2); // [N, h * w, K]
  const perImage = matmul(reshape(embeddings, [n, f, h * w]), labels); // [N, F, K]
  return { sums: sum(perImage, [0]), pixels: sum(labels, [0, 1]) };
}

/** Prototypes of one labelled batch (Eq. 1): for each class the sum of its embeddings, at length 1. */
export function batchPrototypes(embeddings: Value, cells: Value, classes: number): Prototypes {
  const { sums, pixels } = classSums(embeddings, cells, classes);
  return { vectors: l2Normalise(sums, 0), seen: greater(pixels, number(0)) };
}

/** Prototypes that were carried here, as constants: vectors [F, K], a column of zeros for a class never seen. */
export function storedPrototypes(vectors: Value): Prototypes {
  const fixed = stopGradient(vectors);
  // A column has length 1 or 0: anything in between tells them apart.
  return { vectors: fixed, seen: greater(sum(square(fixed), [0]), number(0.5)) };
}

/**
 * The most recent prototype of every class (section X-C): of this batch, or else of the last batch that had the class.
 *
 * What comes from the history is a constant: no loss moves a class that is not in the batch.
 */
export function mostRecent(batch: Prototypes, history: Prototypes): Prototypes {
  return {
    vectors: where(batch.seen, batch.vectors, stopGradient(history.vectors)),
    seen: or(batch.seen, history.seen),
  };
}

/** The same prototypes, as constants. */
export const detached = ({ vectors, seen }: Prototypes): Prototypes => ({ vectors: stopGradient(vectors), seen });
