import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import type { Picture } from "../../data/images/tensors.js";
import { readScaled } from "../../data/loader/readScaled.js";

/** The smallest side that is promised to work. */
const LEAST = 64;

/** Real pictures at the height of the training and at odd sizes, smaller and larger. */
export async function parityPictures(source: Dataset, height: number): Promise<Picture[]> {
  const odd = (extent: number): number => Math.max(LEAST, Math.round(extent)) | 1;
  const heights = [height, LEAST, odd(0.7 * height), odd(1.3 * height)];
  const items = evenlySpread(source.items, heights.length);
  return Promise.all(
    heights.map(async (wanted, i) => {
      const picture = await readScaled(source, items[i % items.length]!, wanted);
      return i === 0 || picture.width <= LEAST ? picture : narrowed(picture, picture.width - (i % 2 === 0 ? 1 : 2));
    }),
  );
}

/** The left part of a picture. */
function narrowed({ rgb, width, height }: Picture, left: number): Picture {
  const cut = new Uint8Array(left * height * 3);
  for (let y = 0; y < height; y++) cut.set(rgb.subarray(y * width * 3, (y * width + left) * 3), y * left * 3);
  return { rgb: cut, width: left, height };
}
