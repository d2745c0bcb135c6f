import sharp from "sharp";
import { onlyCertain, overlay } from "../../data/images/sheet.js";
import type { RgbImage } from "../../data/images/tensors.js";
import type { Segmentation } from "../../deployment/model/segment.js";
import type { Job, Output } from "./job.js";
import type { ModelFacts } from "./modelFacts.js";

/** An image as it is sent. */
interface Painted {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Maps are mostly flat: more effort makes them hardly smaller, and takes longer than the network. */
const png = { compressionLevel: 3 } as const;
const QUALITY = 90;
const MOST_CODE = 65_535;

/** A segmentation as an image. Maps for programs are grey PNGs: classes in 8 bits, uncertainty in 16. */
export async function paint(
  output: Exclude<Output, "summary">,
  type: Extract<Job, { kind: "segment" }>["type"],
  { rgb }: RgbImage,
  segmentation: Segmentation,
  facts: ModelFacts,
): Promise<Painted> {
  const { width, height, classes, certain, colours } = segmentation;
  const raw = { width, height } as const;
  if (output === "classes") {
    const image = sharp(classes, { raw: { ...raw, channels: 1 } }).toColourspace("b-w");
    return { type: "image/png", headers: {}, body: await image.png(png).toBuffer() };
  }
  if (output === "uncertainty") {
    const { codes, least, step } = linearCodes(segmentation.uncertainty, facts.mostUncertain);
    const image = sharp(codes, { raw: { ...raw, channels: 1 } }).toColourspace("grey16");
    const headers = { "Gssl-Uncertainty-Least": String(least), "Gssl-Uncertainty-Step": String(step) };
    return { type: "image/png", headers, body: await image.png(png).toBuffer() };
  }
  const painted = overlay(rgb, classes, colours);
  const shown = output === "certain" ? onlyCertain(painted, certain!) : painted;
  const image = sharp(shown, { raw: { ...raw, channels: 3 } });
  const encoded = type === "image/jpeg" ? image.jpeg({ quality: QUALITY }) : image.png(png);
  return { type, headers: {}, body: await encoded.toBuffer() };
}

/** Uncertainty as 16-bit codes: least + code * step. Without a bound, the codes run from the least of this image to its most. */
function linearCodes(
  uncertainty: Float32Array,
  most: number | null,
): { readonly codes: Uint16Array; readonly least: number; readonly step: number } {
  const [least, largest] = most === null ? extremes(uncertainty) : [0, most];
  const step = largest > least ? (largest - least) / MOST_CODE : 1;
  const codes = new Uint16Array(uncertainty.length);
  for (let i = 0; i < codes.length; i++) {
    codes[i] = Math.min(MOST_CODE, Math.max(0, Math.round((uncertainty[i]! - least) / step)));
  }
  return { codes, least, step };
}

function extremes(values: Float32Array): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
