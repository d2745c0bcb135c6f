import type { Picture } from "../../data/images/tensors.js";
import type { Program } from "../../engine/runtime/runtime.js";
import { hostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";

/** Sides of pictures that a model takes. Smaller ones cannot be continued by their mirror image, larger ones were never tried. */
const LEAST = 16;
const MOST = 8192;

/** What a deployed program says about a picture. */
export function pictureAnswers(program: Program, { rgb, width, height }: Picture): Promise<Tensors> {
  if (Math.min(width, height) < LEAST || Math.max(width, height) > MOST) {
    throw new UserError(`a picture of ${width} x ${height}: wanted sides of ${LEAST} to ${MOST} pixels`);
  }
  return program.run({ image: hostTensor("uint8", [1, height, width, 3], rgb) });
}
