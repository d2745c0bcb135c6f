import type { Grid } from "./grid.js";
import { TouchedRows } from "./touchedRows.js";

/** Does something with part of a row: columns from..to, each with an opacity from 0 to 256. */
export type Brush = (y: number, from: number, to: number, alpha: Uint16Array) => void;

/**
 * How much of each pixel lies inside a set of outlines, exactly, by signed areas.
 *
 * Every edge leaves, in each pixel it passes, the change of coverage it makes to all pixels to its right; one sum along a row
 * then gives coverage. The idea is that of font-rs (Raph Levien). Outlines are turned the same way, so they do not cut holes
 * into each other, and what they cover twice is covered once.
 */
export class Coverage {
  readonly #grid: Grid;
  readonly #touched: TouchedRows;
  readonly #stride: number;
  /** Changes of coverage; two columns more than the image has, for what happens on its right border. */
  readonly #change: Float64Array;
  readonly #alpha: Uint16Array;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#touched = new TouchedRows(grid);
    this.#stride = grid.width + 2;
    this.#change = new Float64Array(this.#stride * grid.height);
    this.#alpha = new Uint16Array(grid.width);
  }

  /** Add the outline that was placed on the grid. */
  add(): void {
    const { x: xs, y: ys, edges, turn, width, height } = this.#grid;
    for (let i = 0; i < edges; i++) {
      const rising = ys[i]! > ys[i + 1]!;
      const upper = rising ? i + 1 : i;
      const lower = rising ? i : i + 1;
      const y0 = ys[upper]!;
      const y1 = ys[lower]!;
      // Level edges bound no row.
      if (y0 === y1 || y1 <= 0 || y0 >= height) continue;
      // What lies left of the image counts on its left border, what lies right of it on its right one.
      const beside = Math.max(xs[i]!, xs[i + 1]!) <= 0 ? 0 : Math.min(xs[i]!, xs[i + 1]!) >= width ? width : -1;
      const x0 = beside < 0 ? xs[upper]! : beside;
      const slope = beside < 0 ? (xs[lower]! - x0) / (y1 - y0) : 0;
      // Zero or more, so cutting off decimals rounds down, and tells the compiler that these are whole numbers.
      const top = y0 < 0 ? 0 : y0 | 0;
      const bottom = y1 > height ? height : Math.ceil(y1) | 0;
      this.#touched.touchRows(top, bottom);
      for (let y = top; y < bottom; y++) {
        const start = y < y0 ? y0 : y;
        const end = y + 1 > y1 ? y1 : y + 1;
        const tall = rising ? turn * (start - end) : turn * (end - start);
        const xStart = x0 + (start - y0) * slope;
        const xEnd = x0 + (end - y0) * slope;
        const left = xStart < xEnd ? xStart : xEnd;
        const right = xStart < xEnd ? xEnd : xStart;
        if (left >= 0 && right <= width) this.#cross(y, left, right, tall);
        else this.#crossBorder(y, left, right, tall);
      }
    }
  }

  /** Hand each touched row to a brush, with coverage times opacity, and forget everything. */
  sweep(opacity: number, brush: Brush): void {
    const touched = this.#touched;
    const full = Math.round(256 * opacity);
    for (let y = touched.top; y < touched.bottom; y++) {
      const from = touched.from[y]!;
      const to = Math.min(this.#grid.width, touched.to[y]!);
      this.#sumRow(y, from, to, full);
      if (from < to) brush(y, from, to, this.#alpha);
    }
    touched.forget();
  }

  #sumRow(y: number, from: number, to: number, full: number): void {
    const change = this.#change;
    const alpha = this.#alpha;
    const row = y * this.#stride;
    let sum = 0;
    for (let x = from; x < to; x++) {
      sum += change[row + x]!;
      change[row + x] = 0;
      const covered = sum < 0 ? -sum : sum;
      alpha[x] = covered > 0.999 ? full : covered * full + 0.5;
    }
    change[row + this.#grid.width] = 0;
    change[row + this.#grid.width + 1] = 0;
  }

  /** Within one row, an edge goes from left to right (or the other way, it is the same); `tall` of the row lies beside it. */
  #cross(y: number, left: number, right: number, tall: number): void {
    const change = this.#change;
    const column = left | 0;
    const past = Math.ceil(right) | 0;
    const i = y * this.#stride + column;
    if (past <= column + 1) {
      const beyond = tall * (0.5 * (left + right) - column);
      change[i]! += tall - beyond;
      change[i + 1]! += beyond;
    } else {
      // A flat edge: its share of each pixel is a small triangle, full steps, and another triangle.
      const step = tall / (right - left);
      const into = 1 - (left - column);
      const out = right - past + 1;
      const head = 0.5 * step * into * into;
      const tail = 0.5 * step * out * out;
      const n = past - column;
      change[i]! += head;
      if (n === 2) change[i + 1]! += tall - head - tail;
      else {
        const second = step * (0.5 + into);
        change[i + 1]! += second - head;
        for (let k = 2; k < n - 1; k++) change[i + k]! += step;
        change[i + n - 1]! += tall - second - (n - 3) * step - tail;
      }
      change[i + n]! += tail;
    }
    // The pixel after the last one passed gets the rest of the change.
    this.#touched.touch(y, column, past + 1);
  }

  /** The same for an edge that leaves the image within the row: each part on its side of the border. */
  #crossBorder(y: number, left: number, right: number, tall: number): void {
    const { width } = this.#grid;
    const share = tall / (right - left);
    const from = Math.max(0, left);
    const to = Math.min(width, right);
    if (left < 0) this.#cross(y, 0, 0, share * (Math.min(0, right) - left));
    if (right > width) this.#cross(y, width, width, share * (right - Math.max(width, left)));
    if (from < to) this.#cross(y, from, to, share * (to - from));
  }
}
