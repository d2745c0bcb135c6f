import type { GammaOptions } from "../../methods/gamma-ssl/options.js";
import { DECODER_STRIDE } from "../../networks/models/deeplab.js";
import type { Sizes } from "./parity.js";

/** What rounding in a network does to a cosine: a fifth of it for the paper's network at 667 x 1332. */
export const TOLERANCE = 1e-5;

/** Single precision rounds a number by up to this share of it. */
const ROUNDING = 2 ** -24;

/**
 * How far rounding may move the answer of a model of γ-SSL, in units of `TOLERANCE`.
 *
 * - Cosines are computed for cells and enlarged. The runtime finds the place of a pixel among the cells in single precision, so that it is
 *   off by a share of the number of cells, and the cosine by that times what neighbours differ: it grows with the height of the image.
 * - A softmax of cosines that are off by e is off by up to 2 p (1 - p) e / τ, and by the rounding of its own.
 * - Both the first class and the second may be off.
 */
export function roundingSizes(
  { score, temperature }: Pick<GammaOptions, "score" | "temperature">,
  { height, width }: { readonly height: number; readonly width: number },
): Sizes {
  const cells = (height + width) / DECODER_STRIDE;
  const ofCosine = 1 + (cells * ROUNDING) / TOLERANCE;
  const slope = (u: number): number => (score === "cosine" ? 0 : (2 * u * (1 - u)) / temperature);
  return { uncertainty: (u) => ofCosine * (1 + slope(u)), lead: 2 * ofCosine };
}
