import { labelledNames, pairNames } from "../../data/loader/batchPlan.js";
import { input, type Value } from "../../engine/graph/value.js";
import { greater, number } from "../../engine/ops/elementwise.js";
import { cropAndResize } from "../../engine/ops/resize.js";
import { DECODER_STRIDE } from "../../networks/models/deeplab.js";

/** Height and width of the views, in pixels. */
export type Crop = readonly [height: number, width: number];

/** Labelled images float32 [N, 3, H, W], and labels int64 [N, H, W]; batchPlan.ts has the names they are fed by. */
export interface LabelledBatch {
  readonly images: Value;
  readonly labels: Value;
}

export const labelledBatch = (name: string, size: number, [height, width]: Crop): LabelledBatch => ({
  images: input(labelledNames(name).images, { dtype: "float32", shape: [size, 3, height, width] }),
  labels: input(labelledNames(name).labels, { dtype: "int64", shape: [size, height, width] }),
});

/** One of two views of the same images. */
export interface View {
  readonly images: Value;
  /** T^L of the *other* view (Eq. 6): scores of this view [N, K, h, w] -> [N, K, H, W], enlarged and cut as the other was. */
  align(scores: Value): Value;
}

/**
 * Two views of unlabelled images, x̄'_T and x̄_T of section V-A, as batchPlan.ts describes a stream of pairs.
 */
export interface PairBatch {
  /** x̄'_T, for the target branch f. */
  readonly first: View;
  /** x̄_T, for the query branch g. */
  readonly second: View;
  /** bool [N, H, W] */
  readonly valid: Value;
}

export function pairBatch(name: string, size: number, [height, width]: Crop): PairBatch {
  const float = (key: string, shape: readonly number[]): Value => input(key, { dtype: "float32", shape });
  const names = pairNames(name);
  const view = (key: "first" | "second"): View => {
    const rows = float(names[key].rows, [size, height, height / DECODER_STRIDE]);
    const columns = float(names[key].columns, [size, width, width / DECODER_STRIDE]);
    const images = float(names[key].images, [size, 3, height, width]);
    return { images, align: (scores) => cropAndResize(scores, rows, columns) };
  };
  return {
    first: view("first"),
    second: view("second"),
    valid: greater(float(names.valid, [size, height, width]), number(0.5)),
  };
}
