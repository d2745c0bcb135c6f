import type { Extent } from "./grid.js";

/** Which part of each row has been touched, so that a leaf does not cost a walk over the whole image. */
export class TouchedRows {
  /** Rows and columns, the last ones not included. */
  top: number;
  bottom = 0;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly #extent: Extent;

  constructor(extent: Extent) {
    this.#extent = extent;
    this.top = extent.height;
    this.from = new Int32Array(extent.height).fill(extent.width);
    this.to = new Int32Array(extent.height);
  }

  touchRows(top: number, bottom: number): void {
    if (top < this.top) this.top = top;
    if (bottom > this.bottom) this.bottom = bottom;
  }

  touch(y: number, from: number, to: number): void {
    if (from < this.from[y]!) this.from[y] = from;
    if (to > this.to[y]!) this.to[y] = to;
  }

  forget(): void {
    this.from.fill(this.#extent.width, this.top, this.bottom);
    this.to.fill(0, this.top, this.bottom);
    this.top = this.#extent.height;
    this.bottom = 0;
  }
}
