import { decode, encode } from "fast-png";
import { UserError } from "../../platform/errors.js";

/** One class id per pixel, row by row. */
export interface LabelMap {
  readonly width: number;
  readonly height: number;
  readonly labels: Uint8Array;
}

/** Class ids as an 8-bit grey PNG: the id is the grey value, as label maps are usually exchanged. */
export function encodeLabels({ width, height, labels }: LabelMap): Uint8Array {
  return encode({ width, height, data: labels, channels: 1, depth: 8 });
}

/** Read back what `encodeLabels` wrote. Palettes, 16 bits and colours are other people's label maps: png.ts decodes those. */
export function decodeLabels(png: Uint8Array): LabelMap {
  const { width, height, data, channels, depth } = decode(png, { checkCrc: true });
  if (channels !== 1 || depth !== 8 || !(data instanceof Uint8Array)) {
    throw new UserError(`label map: found ${channels} channels of ${depth} bits, wanted 1 channel of 8 bits`, {
      hint: "save class ids as an 8-bit greyscale PNG",
    });
  }
  return { width, height, labels: data };
}
