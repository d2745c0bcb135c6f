import { constant, type Value } from "../../engine/graph/value.js";
import { cast, div, maximum, mul, number, sub, where } from "../../engine/ops/elementwise.js";
import { matmul } from "../../engine/ops/matmul.js";
import { max, sum } from "../../engine/ops/reduce.js";
import { float32 } from "../../engine/tensor/hostTensor.js";
import type { Prototypes } from "./prototypes.js";

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
  const nearest = max(where(seen, others, number(-2)), [1]); // [K]; a class without a prototype is nobody's neighbour
  const counted = cast(seen, "float32");
  return div(sum(mul(nearest, counted)), maximum(sum(counted), number(1)));
}

const twiceIdentity = (side: number): number[] =>
  Array.from({ length: side * side }, (_, i) => (i % (side + 1) === 0 ? 2 : 0));
