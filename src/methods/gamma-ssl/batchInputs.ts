import { input, type Value } from "../../engine/graph/value.js";
import { greater, number } from "../../engine/ops/elementwise.js";
import { cropAndResize } from "../../engine/ops/resize.js";
import { DECODER_STRIDE } from "../../networks/models/deeplab.js";

/** Height and width of the views, in pixels. */
export type Crop = readonly [height: number, width: number];

/** Labelled images: `<name>.images` float32 [N, 3, H, W] and `<name>.labels` int64 [N, H, W]. */
export interface LabelledBatch {
  readonly images: Value;
  readonly labels: Value;
}

export const labelledBatch = (name: string, size: number, [height, width]: Crop): LabelledBatch => ({
  images: input(`${name}.images`, { dtype: "float32", shape: [size, 3, height, width] }),
  labels: input(`${name}.labels`, { dtype: "int64", shape: [size, height, width] }),
});

/** One of two views of the same images. */
export interface View {
  readonly images: Value;
  /** T^L of the *other* view (Eq. 6): scores of this view [N, K, h, w] -> [N, K, H, W], enlarged and cut as the other was. */
  align(scores: Value): Value;
}

/**
 * Two views of unlabelled images, x̄'_T and x̄_T of section V-A.
 *
 * `<name>.first` and `<name>.second` float32 [N, 3, H, W]; `<name>.first.rows` [N, H, h] and `<name>.first.columns` [N, W, w] take
 * scores of the first to where both lie on each other, likewise for the second; `<name>.valid` float32 [N, H, W] is 1 where both see the image.
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
  const float = (key: string, shape: readonly number[]): Value => input(`${name}.${key}`, { dtype: "float32", shape });
  const view = (key: string): View => {
    const rows = float(`${key}.rows`, [size, height, height / DECODER_STRIDE]);
    const columns = float(`${key}.columns`, [size, width, width / DECODER_STRIDE]);
    return { images: float(key, [size, 3, height, width]), align: (scores) => cropAndResize(scores, rows, columns) };
  };
  return {
    first: view("first"),
    second: view("second"),
    valid: greater(float("valid", [size, height, width]), number(0.5)),
  };
}
