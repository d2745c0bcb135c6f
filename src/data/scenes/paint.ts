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
    const [r, g, b] = [rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!];
    const id = Math.round(r / 13);
    const code = codes[id];
    invariant(
      code !== undefined && code[0] === r && code[1] === g && code[2] === b,
      `label pixel ${i} is painted rgb(${r}, ${g}, ${b}), which is no class`,
    );
    labels[i] = id;
  }
  return labels;
}
