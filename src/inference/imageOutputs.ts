import type { RgbImage } from "../data/images/tensors.js";
import type { Program } from "../engine/runtime/runtime.js";
import { hostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { UserError } from "../platform/errors.js";

/** Sides of images that a model takes. Smaller ones cannot be continued by their mirror image, larger ones were never tried. */
const LEAST = 16;
const MOST = 8192;

/** Refuse a size that no model takes. */
export function requireSides({ width, height }: Pick<RgbImage, "width" | "height">): void {
  if (Math.min(width, height) < LEAST || Math.max(width, height) > MOST) {
    throw new UserError(`an image of ${width} x ${height}: wanted sides of ${LEAST} to ${MOST} pixels`);
  }
}

/** What a deployed program computes for an image. */
export function imageOutputs(program: Program, { rgb, width, height }: RgbImage): Promise<Tensors> {
  requireSides({ width, height });
  return program.run({ image: hostTensor("uint8", [1, height, width, 3], rgb) });
}
