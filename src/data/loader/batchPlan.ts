import type { Shape } from "../../engine/tensor/shape.js";
import type { ViewOptions } from "../augment/view.js";
import type { Dataset } from "../datasets/dataset.js";

/**
 * Everything that decides a batch but its step: plain data, so that any worker makes the same bytes of it.
 *
 * Randomness is keyed (seed, step, stream, sample, purpose); nothing depends on which worker made what, or when.
 */
export interface BatchPlan {
  readonly seed: number;
  readonly streams: readonly Stream[];
  /** Uniform noise in [0, 1) that the step needs, e.g. for dropout, by input name. */
  readonly noises: readonly { readonly name: string; readonly shape: Shape }[];
}

/**
 * One kind of image in a batch.
 *
 * `labelled` feeds `<name>.images` float32 [N, 3, H, W] and `<name>.labels` int64 [N, H, W] (unknown becomes void: there
 * is nothing to learn from it).
 *
 * `pair` (section V-A of the paper) feeds two views of the same global crop. One of them, chosen for each sample, is cut
 * further (a local crop, resized back). `<name>.first` and `<name>.second` float32 [N, 3, H, W] are the images;
 * `<name>.first.rows` [N, H, H/s] and `<name>.first.columns` [N, W, W/s] take scores of the *first* image, at stride s, to
 * full size and through the local crop that the *second* image went through, so that both come to lie on each other
 * (Eq. 6); likewise `<name>.second.rows` and `.columns`. `<name>.valid` float32 [N, H, W] is 1 where both see the image.
 */
export type Stream = LabelledStream | PairStream;

/** The names that a labelled stream feeds. */
export const labelledNames = (stream: string) => ({ images: `${stream}.images`, labels: `${stream}.labels` });

const viewNames = (view: string) => ({ images: view, rows: `${view}.rows`, columns: `${view}.columns` });

/** The names that a stream of pairs feeds. */
export const pairNames = (stream: string) => ({
  first: viewNames(`${stream}.first`),
  second: viewNames(`${stream}.second`),
  valid: `${stream}.valid`,
});

interface StreamOptions {
  readonly name: string;
  readonly dataset: Dataset;
  /** Images in a batch. */
  readonly size: number;
  readonly view: ViewOptions;
}

export interface LabelledStream extends StreamOptions {
  readonly kind: "labelled";
}

export interface PairStream extends StreamOptions {
  readonly kind: "pair";
  /** Stride of the scores that the matrices take to full size. */
  readonly scoreStride: number;
}
