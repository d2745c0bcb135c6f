import sharp from "sharp";
import { invariant } from "../../errors.js";
import type { Domain } from "./domains/domain.js";
import { labelPaint, readLabelPaint } from "./paint.js";
import { Chance } from "./world/chance.js";
import { develop } from "./world/lens.js";

// Our pictures are too small to share between threads: several at once on one thread each is twice as fast.
sharp.concurrency(1);

export interface Extent {
  readonly width: number;
  readonly height: number;
}

export interface Rendered {
  /** Bytes, height x width x 3. */
  readonly rgb: Uint8Array;
  /** Class ids, height x width; null when nobody asked, and then they were never drawn. */
  readonly labels: Uint8Array | null;
}

/** Draw one picture of a domain; `key` names its randomness and decides every pixel. */
export async function render(
  domain: Domain,
  key: string,
  extent: Extent,
  { labelled }: { labelled: boolean },
): Promise<Rendered> {
  const chance = new Chance(key);
  const { drawing, lens } = domain(chance, extent.width / extent.height);
  const [rgb, labels] = await Promise.all([
    rasterise(drawing.photo(extent), extent),
    labelled ? rasterise(drawing.labels(extent, labelPaint), extent).then(readLabelPaint) : null,
  ]);
  develop(rgb, extent.width, extent.height, lens, chance.child("lens"));
  return { rgb, labels };
}

async function rasterise(svg: string, { width, height }: Extent): Promise<Uint8Array> {
  const { data, info } = await sharp(Buffer.from(svg, "latin1"))
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  invariant(
    info.width === width && info.height === height && info.channels === 3,
    `asked for ${width} x ${height} x 3, drew ${info.width} x ${info.height} x ${info.channels}`,
  );
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
