import { constant, type Value } from "../../engine/graph/value.js";
import { greater, mul, number, sub, where } from "../../engine/ops/elementwise.js";
import { averagePool } from "../../engine/ops/pool.js";
import { argmax, max, oneHot, sum } from "../../engine/ops/reduce.js";
import { cut, reshape } from "../../engine/ops/shaping.js";
import { float32, int64 } from "../../engine/tensor/hostTensor.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";

/** How a cell of pixels gets one label: its most frequent one, things counting tenfold or not, or its first pixel's. */
export type LabelRule = "weighted-mode" | "mode" | "nearest";

export interface CellOptions {
  readonly classes: number;
  /** Pixels along the side of a cell: the stride of the embeddings. */
  readonly side: number;
  readonly rule: LabelRule;
  /** Classes of countable objects, which are thin or small and would drown in what surrounds them. */
  readonly things: readonly number[];
}

/** How much more a pixel of a thing counts than one of road, sky or void. */
const THING_WEIGHT = 10;

/** Names of things, in the words of Cityscapes (requirement P-2). */
const THING_NAMES: readonly string[] = [
  "pole",
  "traffic light",
  "traffic sign",
  "person",
  "rider",
  "car",
  "truck",
  "bus",
  "train",
  "motorcycle",
  "bicycle",
];

/** Which classes of a list are things. */
export const thingsAmong = (names: readonly string[]): number[] =>
  names.flatMap((name, id) => (THING_NAMES.includes(name) ? [id] : []));

/**
 * Labels at the size of the embeddings: Y_S of Eq. 1, before it is made one-hot.
 *
 * labels int64 [N, H, W] -> int64 [N, h, w], with VOID_LABEL where void outweighs every class. On a tie a class wins over
 * void, and the lower class over the higher.
 */
export function labelCells(labels: Value, { classes, side, rule, things }: CellOptions): Value {
  const [n, height, width] = labels.shape as [number, number, number];
  if (rule === "nearest") {
    return cut(labels, [
      { axis: 1, start: 0, end: height, step: side },
      { axis: 2, start: 0, end: width, step: side },
    ]);
  }
  const shares = averagePool(oneHot(labels, classes, 1), side); // [N, K, h, w]
  const weights = Array.from({ length: classes }, (_, id) =>
    rule === "weighted-mode" && things.includes(id) ? THING_WEIGHT : 1,
  );
  const weighed = mul(shares, constant(float32([1, classes, 1, 1], weights)));
  const voidShare = sub(number(1), sum(shares, [1]));
  const isVoid = greater(voidShare, max(weighed, [1]));
  const cells = where(isVoid, constant(int64([], [VOID_LABEL])), argmax(weighed, 1));
  return reshape(cells, [n, height / side, width / side]);
}
