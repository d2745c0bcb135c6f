/** Images of more pixels are refused from their header. No model takes a larger one. */
export const MOST_PIXELS = 8192 * 8192;

/** What is predicted has fewer: with several copies of it in memory, a camera of 48 megapixels takes a gigabyte. */
export const MOST_PREDICTED = 50_000_000;

/** No side is longer. A line of 50 million pixels has few pixels, and no height of a network that it could be scaled to. */
export const MOST_SIDE = 16_384;

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** What is wrong with a size, as the end of a sentence that names the image; null where nothing is. */
export function tooLarge({ width, height }: Extent, most = MOST_PIXELS): string | null {
  if (Math.max(width, height) > MOST_SIDE) return `${width} x ${height} pixels, more than ${MOST_SIDE} along a side`;
  if (width * height > most) return `${width} x ${height} pixels, more than ${most}`;
  return null;
}
