import type { ColourOptions } from "./colour/recolour.js";

/** How images are turned into training views (requirements ). Sizes are in pixels, height first. */
export interface ViewOptions {
  /** Images are scaled to this height when they are read, keeping their shape. */
  readonly height: number;
  readonly crop: readonly [height: number, width: number];
  /** The scaled image is scaled once more by a random factor between these before it is cropped. */
  readonly scale: readonly [low: number, high: number];
  /** Probability of a mirror image. */
  readonly flip: number;
  /** Cut a part and resize it back to the size of the crop. `chance` is for labelled views; of a pair, one is always cut. */
  readonly local: { readonly chance: number; readonly side: readonly [low: number, high: number] };
  readonly colour: ColourOptions | "off";
}
