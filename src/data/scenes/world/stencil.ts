import type { Grid } from "./grid.js";
import { TouchedRows } from "./touchedRows.js";

/**
 * Which pixels have their middle inside a set of outlines: yes or no, nothing between. Labels are cut with it.
 *
 * Outlines count by winding and are turned the same way, so they add up, and a ring keeps its hole.
 */
export class Stencil {
  readonly #grid: Grid;
  readonly #touched: TouchedRows;
  /** Changes of the winding number along each row, and one column more for what ends on the right border. */
  readonly #change: Int16Array;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#touched = new TouchedRows(grid);
    this.#change = new Int16Array((grid.width + 1) * grid.height);
  }

  /** Add the outline that was placed on the grid: from the first middle after an edge, pixels wind once more. */
  add(): void {
    const { x: xs, y: ys, edges, turn, width, height } = this.#grid;
    for (let i = 0; i < edges; i++) {
      const rising = ys[i]! > ys[i + 1]!;
      const upper = rising ? i + 1 : i;
      const lower = rising ? i : i + 1;
      const y0 = ys[upper]!;
      const top = Math.max(0, Math.ceil(y0 - 0.5)) | 0;
      const bottom = Math.min(height, Math.ceil(ys[lower]! - 0.5)) | 0;
      if (top >= bottom) continue;
      const x0 = xs[upper]!;
      const slope = (xs[lower]! - x0) / (ys[lower]! - y0);
      this.#touched.touchRows(top, bottom);
      for (let y = top; y < bottom; y++) {
        const first = Math.ceil(x0 + (y + 0.5 - y0) * slope - 0.5) | 0;
        const column = first < 0 ? 0 : first > width ? width : first;
        this.#change[y * (width + 1) + column]! += rising ? -turn : turn;
        this.#touched.touch(y, column, column + 1);
      }
    }
  }

  /** Write `value` into every pixel inside, and forget the outlines. */
  fill(pixels: Uint8Array, value: number): void {
    for (let y = this.#touched.top; y < this.#touched.bottom; y++) this.#fillRow(y, pixels, value);
    this.#touched.forget();
  }

  // On its own because it is called often: compiled once, where one long loop would be compiled again and again.
  #fillRow(y: number, pixels: Uint8Array, value: number): void {
    const change = this.#change;
    const { width } = this.#grid;
    const row = y * (width + 1);
    const to = this.#touched.to[y]!;
    let winding = 0;
    for (let x = this.#touched.from[y]!; x < to; x++) {
      winding += change[row + x]!;
      change[row + x] = 0;
      if (winding !== 0) pixels[y * width + x] = value;
    }
  }
}
