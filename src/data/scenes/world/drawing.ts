import { type ClassName, classId } from "../classes.js";
import type { Light } from "./light.js";
import type { Plot } from "./plot.js";
import type { Point, View } from "./view.js";

/** What every thing that draws itself needs to know. */
export interface World {
  readonly drawing: Drawing;
  readonly view: View;
  readonly light: Light;
  readonly plot: Plot;
}

/** Painted in this order; within a layer, far before near. */
export const layers = ["sky", "backdrop", "ground", "marking", "shadow", "thing", "air"] as const;
export type Layer = (typeof layers)[number];

interface Stroke {
  readonly outlines: readonly (readonly Point[])[];
  readonly fill: string;
  readonly opacity: number;
  readonly labelled: boolean;
}

/** One thing of one class. Shapes count for the label, details are only seen. */
export class Item {
  readonly strokes: Stroke[] = [];

  constructor(
    readonly classId: number,
    readonly layer: number,
    readonly z: number,
  ) {}

  /** A filled outline that belongs to the thing: in the photo and in the label. */
  shape(outline: readonly Point[], fill: string): this {
    this.strokes.push({ outlines: [outline], fill, opacity: 1, labelled: true });
    return this;
  }

  /** Several outlines of one colour at once, much cheaper than one by one. */
  shapes(outlines: readonly (readonly Point[])[], fill: string): this {
    if (outlines.length > 0) this.strokes.push({ outlines, fill, opacity: 1, labelled: true });
    return this;
  }

  /** Paint that changes the photo and not the label: windows, shadows, texture. */
  detail(outlines: readonly (readonly Point[])[], fill: string, opacity = 1): this {
    if (outlines.length > 0) this.strokes.push({ outlines, fill, opacity, labelled: false });
    return this;
  }
}

/**
 * A picture as a list of things, written out twice: as a photo, and as a label map with one flat colour per class.
 * Both documents hold the same outlines in the same order, which is what makes the labels exact.
 */
export class Drawing {
  readonly #items: Item[] = [];
  readonly #definitions = new Map<string, string>();

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  item(name: ClassName, layer: Layer, z: number): Item {
    const item = new Item(classId(name), layers.indexOf(layer), z);
    this.#items.push(item);
    return item;
  }

  /** Add a gradient, pattern or filter once and get the fill that refers to it. `body` receives the id to carry. */
  define(body: (id: string) => string): string {
    const text = body("@");
    let id = this.#definitions.get(text);
    if (id === undefined) {
      id = `d${this.#definitions.size}`;
      this.#definitions.set(text, id);
    }
    return `url(#${id})`;
  }

  photo(pixels: { width: number; height: number }): string {
    const speck = smallest(this, pixels);
    const definitions = [...this.#definitions].map(([text, id]) =>
      text.replace('id="@"', `id="${id}"`).replaceAll("@", id),
    );
    const runs: { fill: string; opacity: number; d: string }[] = [];
    for (const { strokes } of this.#painted()) {
      for (const { outlines, fill, opacity } of strokes) {
        const d = this.#path(outlines, speck);
        if (d === "") continue;
        const last = runs.at(-1);
        // Neighbours of one colour are one path: rasterising costs by the path, not by the corner.
        if (last !== undefined && last.fill === fill && last.opacity === opacity) last.d += d;
        else runs.push({ fill, opacity, d });
      }
    }
    const paths = runs.map(
      ({ fill, opacity, d }) =>
        `<path d="${d}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity.toFixed(2)}"` : ""}/>`,
    );
    return this.#document(pixels, `<defs>${definitions.join("")}</defs>${paths.join("")}`);
  }

  /** The same outlines without smoothing; `colourOf` says which flat colour stands for a class id. */
  labels(pixels: { width: number; height: number }, colourOf: (classId: number) => string): string {
    const speck = smallest(this, pixels);
    const runs: { classId: number; d: string }[] = [];
    for (const { strokes, classId } of this.#painted()) {
      const d = strokes
        .filter(({ labelled }) => labelled)
        .map(({ outlines }) => this.#path(outlines, speck))
        .join("");
      if (d === "") continue;
      const last = runs.at(-1);
      if (last !== undefined && last.classId === classId) last.d += d;
      else runs.push({ classId, d });
    }
    const paths = runs.map(({ classId, d }) => `<path d="${d}" fill="${colourOf(classId)}"/>`);
    return this.#document(pixels, `<g shape-rendering="crispEdges">${paths.join("")}</g>`);
  }

  #painted(): Item[] {
    return this.#items.filter(({ strokes }) => strokes.length > 0).sort((a, b) => a.layer - b.layer || b.z - a.z);
  }

  #document(pixels: { width: number; height: number }, body: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels.width}" height="${pixels.height}" viewBox="0 0 ${this.width * FINE} ${Math.round(this.height * FINE)}" preserveAspectRatio="none">${body}</svg>`;
  }

  /** Outlines as one SVG path, all turning the same way so that overlapping ones never cut holes into each other. */
  #path(outlines: readonly (readonly Point[])[], speck: number): string {
    let d = "";
    for (const outline of outlines) {
      if (outline.length < 3 || !this.#visible(outline, speck)) continue;
      const back = turn(outline) < 0;
      let [px, py] = [0, 0];
      for (let i = 0; i < outline.length; i++) {
        const [x, y] = outline[back ? outline.length - 1 - i : i]!;
        const [fx, fy] = [fine(x), fine(y)];
        // Parsing is a third of the cost of a picture, so: steps instead of positions, and a minus is a separator too.
        if (i === 0) d += `M${fx} ${fy}l`;
        else d += `${i > 1 && fx >= px ? " " : ""}${fx - px}${fy >= py ? " " : ""}${fy - py}`;
        px = fx;
        py = fy;
      }
      d += "Z";
    }
    return d;
  }

  /** Is any of it on the picture, and is it large enough to be seen? */
  #visible(outline: readonly Point[], speck: number): boolean {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < outline.length; i++) {
      const point = outline[i]!;
      const [x, y] = [point[0], point[1]];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    const onPicture = right > 0 && left < this.width && bottom > 0 && top < this.height;
    return onPicture && Math.max(right - left, bottom - top) > speck;
  }
}

/** Outlines smaller than this many units in both directions are left out: a third of a pixel. */
function smallest({ width }: Drawing, pixels: { width: number }): number {
  return (0.34 * width) / pixels.width;
}

/** Twice the signed area: positive when the outline turns clockwise on the picture. */
export function turn(outline: readonly Point[]): number {
  let sum = 0;
  let [x0, y0] = outline.at(-1)!;
  for (let i = 0; i < outline.length; i++) {
    const point = outline[i]!;
    const [x1, y1] = [point[0], point[1]];
    sum += x0 * y1 - x1 * y0;
    x0 = x1;
    y0 = y1;
  }
  return sum;
}

/**
 * The document counts in quarters of a unit, so that every coordinate is a whole number: quick to print, and too coarse
 * for the last bit of a sine to show.
 */
export const FINE = 4;

function fine(x: number): number {
  return Math.round(Math.max(-20_000, Math.min(20_000, x)) * FINE);
}
