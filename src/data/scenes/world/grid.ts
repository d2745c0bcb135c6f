import type { Outline } from "./view.js";

/** Size of an image in pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Outlines go in steps of a quarter of a drawing unit, too coarse for the last bit of a sine to show in a pixel. */
const STEPS_PER_UNIT = 4;

const step = (x: number): number => Math.round((x < -20_000 ? -20_000 : x > 20_000 ? 20_000 : x) * STEPS_PER_UNIT);

/**
 * How a drawing lies on the pixels of an image, and the one outline that is being laid on it.
 *
 * An outline is read once and its corners are left in `x` and `y`: thousands of them pass through here, and numbers handed
 * from function to function would each become an object.
 */
export class Grid implements Extent {
  readonly width: number;
  readonly height: number;
  /** Drawing units per pixel. */
  readonly unitX: number;
  readonly unitY: number;
  /** Corners of the outline placed last, in pixels; the first one comes once more at the end. */
  x = new Float64Array(64);
  y = new Float64Array(64);
  /** How many edges it has. */
  edges = 0;
  /** 1 if it turns clockwise, -1 if not. */
  turn = 1;
  readonly #units: Extent;
  readonly #speck: number;

  constructor(pixels: Extent, units: Extent) {
    this.width = pixels.width;
    this.height = pixels.height;
    this.unitX = units.width / pixels.width;
    this.unitY = Math.round(units.height * STEPS_PER_UNIT) / STEPS_PER_UNIT / pixels.height;
    this.#units = units;
    // A third of a pixel: what is smaller than that, both across and down, cannot be seen.
    this.#speck = (0.34 * units.width) / pixels.width;
  }

  /** Place an outline, given in drawing units. False if nothing of it can be seen. */
  place(outline: Outline): boolean {
    const count = outline.length;
    if (count < 3) return false;
    if (count >= this.x.length) this.#makeRoom(count);
    const { x: xs, y: ys } = this;
    const scaleX = 1 / (this.unitX * STEPS_PER_UNIT);
    const scaleY = 1 / (this.unitY * STEPS_PER_UNIT);
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    let area = 0;
    let x0 = outline[count - 1]![0];
    let y0 = outline[count - 1]![1];
    for (let i = 0; i < count; i++) {
      const point = outline[i]!;
      const x1 = point[0];
      const y1 = point[1];
      if (x1 < left) left = x1;
      if (x1 > right) right = x1;
      if (y1 < top) top = y1;
      if (y1 > bottom) bottom = y1;
      area += x0 * y1 - x1 * y0;
      xs[i] = step(x1) * scaleX;
      ys[i] = step(y1) * scaleY;
      x0 = x1;
      y0 = y1;
    }
    xs[count] = xs[0]!;
    ys[count] = ys[0]!;
    this.edges = count;
    this.turn = area < 0 ? -1 : 1;
    const onImage = right > 0 && left < this.#units.width && bottom > 0 && top < this.#units.height;
    return onImage && (right - left > this.#speck || bottom - top > this.#speck);
  }

  #makeRoom(count: number): void {
    this.x = new Float64Array(2 * count);
    this.y = new Float64Array(2 * count);
  }
}
