import type { RgbImage } from "../data/images/tensors.js";
import type { Program } from "../engine/runtime/runtime.js";
import { hostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { UserError } from "../platform/errors.js";

/** Sides of images that a network takes. Smaller ones cannot be continued by their mirror image, larger ones were never tried. */
const LEAST = 16;
const MOST = 8192;

type Extent = Pick<RgbImage, "width" | "height">;

/** The size at which the network of a model sees an image: the height of its training, in the image's own shape. */
export function sizeSeen({ width, height }: Extent, trained: number): Extent {
  const seen = { width: Math.round((width * trained) / height), height: trained };
  if (Math.min(seen.width, seen.height) < LEAST || Math.max(seen.width, seen.height) > MOST) {
    throw new UserError(
      `an image of ${width} x ${height} would be seen as ${seen.width} x ${seen.height}: wanted sides of ${LEAST} to ${MOST} pixels`,
      { hint: `the model scales images to a height of ${trained}; cut this one into parts that are less narrow` },
    );
  }
  return seen;
}

/** What a deployed program computes for an image, at the size of the image. `trained` is the height to which the program scales it. */
export function imageOutputs(program: Program, { rgb, width, height }: RgbImage, trained: number): Promise<Tensors> {
  sizeSeen({ width, height }, trained);
  return program.run({ image: hostTensor("uint8", [1, height, width, 3], rgb) });
}
