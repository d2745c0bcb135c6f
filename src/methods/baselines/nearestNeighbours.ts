import { constant, type Value } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { l2Normalise, min, topK } from "../../engine/ops/reduce.js";
import { concat, reshape, slice } from "../../engine/ops/shaping.js";
import { float32, type Tensors } from "../../engine/tensor/hostTensor.js";
import { type FittedMethod, inTurn } from "../fittedMethod.js";
import { enlarged } from "../scorer.js";
import { FeatureBank } from "./featureBank.js";

/** Features of the source that are kept, and which neighbour among them is asked. */
const BANK = 2048;
const NEIGHBOURS = [10, 1, 5, 20, 50] as const;

/** Similarities held at once: a large image is gone through by rows. */
const MOST = 2 ** 23;

/**
 * Distance to the k-th nearest of the source's features, all of length 1 (Sun et al., 2022): u = 1 - cosine, which is half the
 * squared distance.
 */
export const nearestNeighbours = ({ seed }: { readonly seed: number }): FittedMethod => ({
  name: "knn",
  fit({ features }) {
    const bank = new FeatureBank({ capacity: BANK, features, seed });
    return inTurn([() => bank], () => {
      const { rows } = bank;
      const count = rows.length / features;
      const few = count < BANK ? [`only ${count} labelled pixels of the source to compare with, wanted ${BANK}`] : [];
      return { tensors: { bank: float32([count, features], unitRows(rows, features)) }, remarks: few };
    });
  },
  candidates: ({ bank }) =>
    NEIGHBOURS.filter((k, i) => i === 0 || k <= bank!.shape[0]!).map((neighbour) => ({
      settings: { neighbour },
      scorer: {
        name: "knn",
        score: ({ features, predicted }) => ({
          predicted,
          uncertainty: enlarged(distance(features, bank!, neighbour)),
        }),
      },
    })),
});

/** features [N, F, h, w], bank [B, F] -> [N, 1, h, w] */
function distance(features: Value, bank: Tensors[string], neighbour: number): Value {
  const [count, f] = bank.shape as [number, number];
  const [n, , h, w] = features.shape as [number, number, number, number];
  const unit = l2Normalise(features, 1);
  const filters = reshape(constant(bank), [count, f, 1, 1]);
  const rows = Math.max(1, Math.floor(MOST / (count * n * w)));
  const parts: Value[] = [];
  for (let y = 0; y < h; y += rows) {
    const cosines = conv2d(slice(unit, 2, y, Math.min(h, y + rows)), filters);
    const nearest = topK(cosines, Math.min(neighbour, count), { axis: 1 }).values;
    parts.push(sub(number(1), min(nearest, [1], { keep: true })));
  }
  return parts.length === 1 ? parts[0]! : concat(parts, 2);
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
