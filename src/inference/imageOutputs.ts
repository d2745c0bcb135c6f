import { nearestMap, scaledLevels } from "../data/images/scale.js";
import type { ImageLevels, RgbImage } from "../data/images/tensors.js";
import { MODEL_OUTPUT } from "../engine/runtime/ortProgram.js";
import type { Program } from "../engine/runtime/runtime.js";
import { type HostTensor, hostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { UserError } from "../platform/errors.js";

/** Sides of images that a network takes. Smaller ones cannot be continued by their mirror image, larger ones were never tried. */
export const LEAST_SIDE = 16;
export const MOST_SIDE = 8192;

type Extent = Pick<RgbImage, "width" | "height">;

/** The size at which the network of a model sees an image: the height of its training, in the image's own shape. */
export function sizeSeen({ width, height }: Extent, trained: number): Extent {
  const seen = { width: Math.round((width * trained) / height), height: trained };
  if (Math.min(seen.width, seen.height) < LEAST_SIDE || Math.max(seen.width, seen.height) > MOST_SIDE) {
    throw new UserError(
      `an image of ${width} x ${height} would be seen as ${seen.width} x ${seen.height}: wanted sides of ${LEAST_SIDE} to ${MOST_SIDE} pixels`,
      { hint: `the model scales images to a height of ${trained}; cut this one into parts that are less narrow` },
    );
  }
  return seen;
}

/** A deployed program, and what is known of it before it runs. */
export interface ImageProgram {
  readonly program: Program;
  /** What messages call the model. */
  readonly name: string;
  /** The program scales images to it. */
  readonly height: number;
  readonly classes: number;
  /** What its similarity is; null for a baseline, which gives an uncertainty without bounds. */
  readonly score: "cosine" | "softmax" | null;
}

/** Images of more pixels are scaled here. Within the program that takes fifty bytes a pixel. */
const LARGE = 2 ** 23;

/**
 * What a deployed program computes for an image, at the size of the image. The one place where outputs are read: a model of somebody's may
 * give anything, and not a number would count as certain somewhere. `image` is what messages call it.
 */
export async function imageOutputs(model: ImageProgram, image: RgbImage, called = "the image"): Promise<Tensors> {
  const seen = sizeSeen(image, model.height);
  const large = image.width * image.height > LARGE && seen.width * seen.height < image.width * image.height;
  const given = large ? rounded(scaledLevels(image, seen)) : image;
  const shape = [1, given.height, given.width, 3];
  const outputs = await model.program.run({ image: hostTensor("uint8", shape, given.rgb) });
  for (const [name, tensor] of Object.entries(outputs)) requireSense(name, tensor, model, called);
  return large ? atSize(outputs, seen, image) : outputs;
}

function rounded({ rgb, ...size }: ImageLevels): RgbImage {
  const bytes = new Uint8Array(rgb.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round(rgb[i]!);
  return { ...size, rgb: bytes };
}

/** Maps at another size, each pixel that of the nearest. Probabilities have several numbers a pixel: no model of images this large gives them. */
function atSize(outputs: Tensors, from: Extent, to: Extent): Tensors {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, tensor]) => {
      const { dtype, shape, data } = tensor;
      if (shape.length < 3) return [name, tensor]; // of the whole image
      if (shape.length > 3) {
        throw new UserError(`"${name}" of an image of ${to.width} x ${to.height} pixels would take too much memory`, {
          hint: `scale it down to at most ${LARGE} pixels`,
        });
      }
      return [
        name,
        hostTensor(dtype, [1, to.height, to.width], nearestMap(data as Uint8Array | Float32Array, from, to)),
      ];
    }),
  );
}

/** How far rounding takes a number beyond its range. */
const ROUNDING = 1e-3;

function requireSense(output: string, { data }: HostTensor, model: ImageProgram, image: string): void {
  const [least, most] = rangeOf(output, model);
  const values = data as Uint8Array | Float32Array;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // Not a number is neither.
    if (value >= least && value <= most) continue;
    const range = most === Number.MAX_VALUE ? "a finite number" : `${Math.round(least)} to ${Math.round(most)}`;
    throw new UserError(
      `${model.name}: the model gives ${value} as "${output}" of a pixel of ${image}, wanted ${range}`,
      {
        hint: "gssl export writes models that do not: export it again",
        code: MODEL_OUTPUT,
      },
    );
  }
}

/** Smallest and largest value that means anything. */
function rangeOf(output: string, { classes, score }: ImageProgram): readonly [number, number] {
  if (output === "class") return [0, classes - 1];
  if (output === "certain") return [0, 1];
  if (output === "distance") return [0, Number.MAX_VALUE];
  if (output === "uncertainty") return [-Number.MAX_VALUE, Number.MAX_VALUE];
  return [(output === "similarity" && score === "cosine" ? -1 : 0) - ROUNDING, 1 + ROUNDING];
}
