import { UserError } from "../../platform/errors.js";
import { tooLarge } from "./imageLimits.js";
import type { RgbImage } from "./tensors.js";

/** Bytes of an image file. */
export type ImageBytes = Uint8Array | ArrayBuffer | Blob;

/** The bytes, where something is that; null where it is something else. */
export async function bytesOf(image: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  if (image instanceof Blob) return new Uint8Array(await image.arrayBuffer());
  if (image instanceof ArrayBuffer) return new Uint8Array(image);
  return image instanceof Uint8Array ? (image as Uint8Array<ArrayBuffer>) : null;
}

/** Refuse what a caller in JavaScript may pass as pixels: a model would read over the end of too few. `others` is what else is taken. */
export function requireRgb(image: unknown, others: string): RgbImage {
  const hint = `give ${others}, or { rgb, width, height }: 8-bit red, green and blue of each pixel, row by row`;
  const refuse = (why: string, code: string): never => {
    throw new UserError(`the image ${why}`, { hint, code });
  };
  if (typeof image !== "object" || image === null || !("rgb" in image)) {
    const kind = typeof image === "object" && image !== null ? image.constructor?.name : String(image);
    return refuse(`is ${String(kind).slice(0, 60)}`, "image-unsupported");
  }
  const { rgb, width, height } = image as Record<keyof RgbImage, unknown>;
  if (!(rgb instanceof Uint8Array || rgb instanceof Uint8ClampedArray)) {
    return refuse("has no rgb of bytes", "image-unsupported");
  }
  if (!isSide(width) || !isSide(height)) return refuse(`is ${width} x ${height} pixels`, "image-damaged");
  const size = tooLarge({ width, height });
  if (size !== null) return refuse(`is ${size}`, "image-too-large");
  if (rgb.length !== 3 * width * height) {
    return refuse(`has ${rgb.length} bytes; ${width} x ${height} pixels make ${3 * width * height}`, "image-damaged");
  }
  return { rgb: new Uint8Array(rgb.buffer, rgb.byteOffset, rgb.length), width, height };
}

const isSide = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
