import { ink } from "./colour.js";
import type { Brush, Coverage } from "./coverage.js";
import { between, type Fill, type Gradient, type Grain, type Halo, type Ink } from "./fill.js";
import type { Grid } from "./grid.js";
import { type Cells, emptyCells } from "./noise.js";

/** The image while it is painted: bytes, height x width x 3. */
export class Canvas {
  readonly rgb: Uint8Array;
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.rgb = new Uint8Array(grid.width * grid.height * 3);
  }

  paint(coverage: Coverage, fill: Fill, opacity: number): void {
    coverage.sweep(opacity, this.#brush(fill));
  }

  #brush(fill: Fill): Brush {
    if (typeof fill === "number") return (y, from, to, alpha) => this.#row(y, from, to, alpha, fill);
    if (fill.kind === "gradient") return this.#graded(fill);
    return fill.kind === "halo" ? this.#glowing(fill) : this.#grained(fill);
  }

  /** One ink over part of a row. */
  #row(y: number, from: number, to: number, alpha: Uint16Array, fill: Ink): void {
    const rgb = this.rgb;
    const red = fill >> 16;
    const green = (fill >> 8) & 255;
    const blue = fill & 255;
    for (let x = from, i = (y * this.#grid.width + from) * 3; x < to; x++, i += 3) {
      const share = alpha[x]!;
      if (share === 0) continue;
      if (share === 256) {
        rgb[i] = red;
        rgb[i + 1] = green;
        rgb[i + 2] = blue;
      } else {
        rgb[i]! += ((red - rgb[i]!) * share + 128) >> 8;
        rgb[i + 1]! += ((green - rgb[i + 1]!) * share + 128) >> 8;
        rgb[i + 2]! += ((blue - rgb[i + 2]!) * share + 128) >> 8;
      }
    }
  }

  #graded({ top, bottom, stops }: Gradient): Brush {
    const { unitY } = this.#grid;
    return (y, from, to, alpha) => {
      const [colour, opacity] = between(stops, ((y + 0.5) * unitY - top) / (bottom - top || 1));
      if (opacity < 1) for (let x = from; x < to; x++) alpha[x] = alpha[x]! * opacity + 0.5;
      this.#row(y, from, to, alpha, ink(colour));
    };
  }

  #glowing({ x: cx, y: cy, radius, stops }: Halo): Brush {
    const STEPS = 128;
    const inks = new Int32Array(STEPS + 1);
    const opacities = new Float32Array(STEPS + 1);
    for (let i = 0; i <= STEPS; i++) {
      const [colour, opacity] = between(stops, i / STEPS);
      inks[i] = ink(colour);
      opacities[i] = opacity;
    }
    const { unitX, unitY } = this.#grid;
    return (y, from, to, alpha) => {
      const dy = (y + 0.5) * unitY - cy;
      for (let x = from; x < to; x++) {
        const dx = (x + 0.5) * unitX - cx;
        const step = Math.min(STEPS, Math.round((Math.sqrt(dx * dx + dy * dy) / radius) * STEPS));
        alpha[x] = alpha[x]! * opacities[step]! + 0.5;
        this.#row(y, x, x + 1, alpha, inks[step]!);
      }
    };
  }

  #grained({ ink: fill, columns, rows, opacity, tile }: Grain): Brush {
    const { width, height, unitX, unitY } = this.#grid;
    const { low, high, share } = samples(width, unitX, 0, tile.width, columns);
    const down = samples(height, unitY, tile.y, tile.height, rows);
    const blended = new Float64Array(columns);
    return (y, from, to, alpha) => {
      const above = down.low[y]! * columns;
      const below = down.high[y]! * columns;
      const v = down.share[y]! / 255;
      for (let k = 0; k < columns; k++) {
        blended[k] = opacity[above + k]! / 255 + (opacity[below + k]! - opacity[above + k]!) * v;
      }
      for (let x = from; x < to; x++) {
        const left = blended[low[x]!]!;
        alpha[x] = alpha[x]! * (left + (blended[high[x]!]! - left) * share[x]!) + 0.5;
      }
      this.#row(y, from, to, alpha, fill);
    };
  }
}

/** The texels of a repeating tile that the middle of each pixel lies between. */
function samples(pixels: number, unit: number, start: number, length: number, texels: number): Cells {
  const { low, high, share } = emptyCells(pixels);
  for (let i = 0; i < pixels; i++) {
    const position = (((i + 0.5) * unit - start) / length) * texels - 0.5;
    const floor = Math.floor(position);
    low[i] = ((floor % texels) + texels) % texels;
    high[i] = (low[i]! + 1) % texels;
    share[i] = position - floor;
  }
  return { low, high, share };
}
