import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { l2Normalise, min, topK } from "../../engine/ops/reduce.js";
import { concat, reshape, slice, squeeze } from "../../engine/ops/shaping.js";
import { float32, type Tensors } from "../../engine/tensor/hostTensor.js";
import { inTurn } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { FeatureBank } from "./featureBank.js";

/** Features of the source that are kept, and which neighbour among them is asked. */
const BANK = 2048;
const NEIGHBOURS = [10, 1, 5, 20, 50] as const;

/** Features compared with at once: similarities of a large image to all of them would take gigabytes. */
const PIECE = 256;

/**
 * Distance to the k-th nearest of the source's features, all of length 1 (Sun et al., 2022): u = 1 - cosine, which is half the
 * squared distance.
 */
export const nearestNeighbours: OnePassMethod<{ readonly neighbour: number }> = {
  name: "knn",
  title: "kNN",
  family: "further",
  network: "source",
  kind: "one-pass",
  fit({ features, seed }) {
    const bank = new FeatureBank({ capacity: BANK, features, seed });
    return inTurn([() => bank], () => {
      const { rows } = bank;
      const count = rows.length / features;
      const few = count < BANK ? [`only ${count} labelled pixels of the source to compare with, wanted ${BANK}`] : [];
      return { tensors: { bank: float32([count, features], unitRows(rows, features)) }, remarks: few };
    });
  },
  settings: ({ fitted }) =>
    NEIGHBOURS.filter((k, i) => i === 0 || fitted === null || k <= fitted.bank!.shape[0]!).map((neighbour) => ({
      neighbour,
    })),
  score: ({ features, predicted, enlarge }, { bank }, { neighbour }) => ({
    predicted,
    uncertainty: squeeze(enlarge(distance(features, bank!, neighbour)), 1),
  }),
};

/** features [N, F, h, w], bank [B, F] -> [N, 1, h, w] */
function distance(features: Value, bank: Tensors[string], neighbour: number): Value {
  const [count, f] = bank.shape as [number, number];
  const unit = l2Normalise(features, 1);
  const filters = reshape(constant(bank), [count, f, 1, 1]);
  const largest = (cosines: Value): Value => topK(cosines, Math.min(neighbour, cosines.shape[1]!), { axis: 1 }).values;
  // The nearest of all are among the nearest of each piece.
  const pieces: Value[] = [];
  for (let start = 0; start < count; start += PIECE)
    pieces.push(largest(conv2d(unit, slice(filters, 0, start, Math.min(count, start + PIECE)))));
  const nearest = pieces.length === 1 ? pieces[0]! : largest(concat(pieces, 1));
  return sub(number(1), min(nearest, [1], { keep: true }));
}

/** Rows of this many numbers, each at length 1. */
function unitRows(rows: Float32Array, length: number): Float32Array {
  const unit = new Float32Array(rows.length);
  for (let start = 0; start < rows.length; start += length) {
    const row = rows.subarray(start, start + length);
    const long = Math.max(1e-12, Math.sqrt(row.reduce((total, value) => total + value * value, 0)));
    for (let i = 0; i < length; i++) unit[start + i] = row[i]! / long;
  }
  return unit;
}
