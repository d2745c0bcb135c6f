import { invariant } from "../../errors.js";
import { UNKNOWN_LABEL } from "./classes.js";

/**
 * The flat colours of the label document, one per class id. Red and green go round a circle: a blend of any number of
 * classes falls inside it, so a smoothed pixel can never pass for a class. Blue tells the id.
 */
const BLUE_STEP = 13;
const codes = Array.from({ length: UNKNOWN_LABEL + 1 }, (_, id) => {
  const angle = (2 * Math.PI * id) / (UNKNOWN_LABEL + 1);
  return [Math.round(128 + 120 * Math.cos(angle)), Math.round(128 + 120 * Math.sin(angle)), id * BLUE_STEP] as const;
});

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
    const id = Math.round(blue / BLUE_STEP);
    const code = codes[id];
    if (code === undefined || code[0] !== red || code[1] !== green || code[2] !== blue) {
      invariant(false, `label pixel ${i} is painted rgb(${red}, ${green}, ${blue}), which is no class`);
    }
    labels[i] = id;
  }
  return labels;
}
