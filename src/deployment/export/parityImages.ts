import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { readScaled } from "../../data/loader/readScaled.js";

/** The smallest height that is tried. */
const LEAST = 64;

/** Real images at the height of the training, as its network sees them, and at odd sizes, smaller and larger, which a model scales. */
export async function parityImages(source: Dataset, height: number): Promise<RgbImage[]> {
  const odd = (extent: number): number => Math.max(LEAST, Math.round(extent)) | 1;
  const heights = [height, LEAST, odd(0.7 * height), odd(2.3 * height)];
  const items = evenlySpread(source.items, heights.length);
  return Promise.all(
    heights.map(async (wanted, i) => {
      const image = await readScaled(source, items[i % items.length]!, wanted);
      return i === 0 || image.width <= LEAST ? image : narrowed(image, image.width - (i % 2 === 0 ? 1 : 2));
    }),
  );
}

/** The left part of an image. */
function narrowed({ rgb, width, height }: RgbImage, left: number): RgbImage {
  const cut = new Uint8Array(left * height * 3);
  for (let y = 0; y < height; y++) cut.set(rgb.subarray(y * width * 3, (y * width + left) * 3), y * left * 3);
  return { rgb: cut, width: left, height };
}
