import { invariant } from "../../errors.js";
import { UNKNOWN_LABEL } from "./classes.js";

/**
 * The flat colours of the label document, one per class id, far apart in all three channels: a blend of two of them is
 * never a third, so a smoothed pixel could not pass for a class unnoticed.
 */
const codes = Array.from(
  { length: UNKNOWN_LABEL + 1 },
  (_, id) => [id * 13, (id * 97 + 31) % 256, (id * 59 + 7) % 251] as const,
);

export function labelPaint(classId: number): string {
  return `rgb(${codes[classId]!.join(",")})`;
}

/** Class ids of a rendered label document (HWC bytes). Any colour that is not a class's own is our bug. */
export function readLabelPaint(rgb: Uint8Array): Uint8Array {
  const labels = new Uint8Array(rgb.length / 3);
  for (let i = 0; i < labels.length; i++) {
    const red = rgb[3 * i]!;
    const green = rgb[3 * i + 1]!;
    const blue = rgb[3 * i + 2]!;
    const id = Math.round(red / 13);
    const code = codes[id];
    if (code === undefined || code[0] !== red || code[1] !== green || code[2] !== blue) {
      invariant(false, `label pixel ${i} is painted rgb(${red}, ${green}, ${blue}), which is no class`);
    }
    labels[i] = id;
  }
  return labels;
}
