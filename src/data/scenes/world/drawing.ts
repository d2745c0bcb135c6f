import { Canvas } from "./canvas.js";
import { type ClassName, classId } from "./classes.js";
import { Coverage } from "./coverage.js";
import type { Fill } from "./fill.js";
import { type Extent, Grid } from "./grid.js";
import type { Light } from "./light.js";
import { Stencil } from "./stencil.js";
import type { Outline, View } from "./view.js";

/** What every thing that draws itself needs to know. */
export interface World {
  readonly drawing: Drawing;
  readonly view: View;
  readonly light: Light;
  readonly plot: Footprints;
}

/** Painted in this order; within a layer, far before near. */
export const layers = ["sky", "backdrop", "ground", "marking", "shadow", "thing", "air"] as const;
export type Layer = (typeof layers)[number];

interface Stroke {
  readonly outlines: readonly Outline[];
  readonly fill: Fill;
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

  /** A filled outline that belongs to the thing: in the image and in the label. */
  shape(outline: Outline, fill: Fill): this {
    this.strokes.push({ outlines: [outline], fill, opacity: 1, labelled: true });
    return this;
  }

  /** Several outlines of one colour at once, much cheaper than one by one. */
  shapes(outlines: readonly Outline[], fill: Fill): this {
    if (outlines.length > 0) this.strokes.push({ outlines, fill, opacity: 1, labelled: true });
    return this;
  }

  /** Paint that changes the image and not the label: windows, shadows, texture. */
  detail(outlines: readonly Outline[], fill: Fill, opacity = 1): this {
    if (outlines.length > 0) this.strokes.push({ outlines, fill, opacity, labelled: false });
    return this;
  }
}

/**
 * A scene as a list of things, painted twice: as an image with smooth edges, and as a label map with one id per pixel.
 * Both paint the same outlines in the same order, which is what makes the labels exact.
 */
export class Drawing {
  readonly #items: Item[] = [];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  item(name: ClassName, layer: Layer, z: number): Item {
    const item = new Item(classId(name), layers.indexOf(layer), z);
    this.#items.push(item);
    return item;
  }

  /** Bytes, height x width x 3. */
  image(pixels: Extent): Uint8Array {
    const grid = new Grid(pixels, this);
    const coverage = new Coverage(grid);
    const canvas = new Canvas(grid);
    let open: Stroke | undefined;
    for (const { strokes } of this.#painted()) {
      for (const stroke of strokes) {
        for (const outline of stroke.outlines) {
          if (!grid.place(outline)) continue;
          // Neighbours of one colour are painted at once: no seam between them, and no darker where they overlap.
          if (open !== undefined && (open.fill !== stroke.fill || open.opacity !== stroke.opacity)) {
            canvas.paint(coverage, open.fill, open.opacity);
          }
          open = stroke;
          coverage.add();
        }
      }
    }
    if (open !== undefined) canvas.paint(coverage, open.fill, open.opacity);
    return canvas.rgb;
  }

  /** Class ids, height x width. */
  labels(pixels: Extent): Uint8Array {
    const labels = new Uint8Array(pixels.width * pixels.height);
    const grid = new Grid(pixels, this);
    const stencil = new Stencil(grid);
    let open: number | undefined;
    for (const { strokes, classId } of this.#painted()) {
      if (open !== undefined && open !== classId) stencil.fill(labels, open);
      open = classId;
      for (const { outlines, labelled } of strokes) {
        if (!labelled) continue;
        for (const outline of outlines) if (grid.place(outline)) stencil.add();
      }
    }
    if (open !== undefined) stencil.fill(labels, open);
    return labels;
  }

  #painted(): Item[] {
    return this.#items.filter(({ strokes }) => strokes.length > 0).sort((a, b) => a.layer - b.layer || b.z - a.z);
  }
}

/** Twice the signed area: positive when the outline turns clockwise on the image. */
export function turn(outline: Outline): number {
  let sum = 0;
  let last = outline.at(-1)!;
  for (const point of outline) {
    sum += last[0] * point[1] - point[0] * last[1];
    last = point;
  }
  return sum;
}

/** Who stands where on the ground, so that nobody is drawn inside somebody else. Metres, in the frame of the road. */
export class Footprints {
  readonly #taken: { u: number; z: number; halfU: number; halfZ: number }[] = [];

  /** Take a rectangle around (u, z) if it is free; false, and nothing taken, if it is not. */
  claim(u: number, z: number, halfU: number, halfZ: number): boolean {
    const free = this.#taken.every(
      (other) => Math.abs(other.u - u) > other.halfU + halfU || Math.abs(other.z - z) > other.halfZ + halfZ,
    );
    if (free) this.#taken.push({ u, z, halfU, halfZ });
    return free;
  }
}
