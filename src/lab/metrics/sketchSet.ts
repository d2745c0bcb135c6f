import { UserError } from "../../errors.js";
import { Batch } from "./batch.js";
import { coarsen, limitsOf } from "./coarsen.js";
import { CountingPlan } from "./countingPlan.js";
import { emptyCounts, Sketcher, tally } from "./countPixels.js";
import { CHUNK, PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import { addSketches, emptySketch, pixelsOf, type Sketch } from "./sketch.js";

export interface ImageSketch {
  readonly id: string;
  readonly sketch: Sketch;
}

/** What a method left behind on a data set: one fine sketch of all pixels, one coarser sketch per image. */
export interface SketchSet {
  readonly total: Sketch;
  readonly images: readonly ImageSketch[];
  /** Images without a single scored pixel. */
  readonly skipped: readonly string[];
}

/** Shares of the right and of the wrong pixels that may hide in one interval; 0 keeps each float32 number apart. */
export interface Resolution {
  /** Of one batch of images, on its way into the total. The guaranteed error of the AUROC over all pixels. */
  readonly batch: number;
  /** Of all images, when the total is tidied up; small beside `batch`. */
  readonly total: number;
  /** Of one image, in the sketch kept for it: for bootstraps and threshold studies. */
  readonly kept: number;
}

export const resolutions = {
  fine: { batch: 1e-4, total: 1e-5, kept: 1 / 512 },
  exact: { batch: 0, total: 0, kept: 0 },
} as const satisfies Record<string, Resolution>;

/** Past this many intervals the total is tidied up while it grows; about 10 MB. */
const mostIntervals = 2 ** 18;

/** Images are gathered until they have this many pixels, then sketched together for the total. */
const batchPixels = 2 ** 21;

/** An image of this many pixels is tallied once, for the total and for itself; for a smaller one that is too fine. */
const largeImage = 2 ** 17;

/** Adds images one by one. Memory grows with the number of images (some 40 KB each), not with their pixels. */
export class SketchBuilder {
  readonly #resolution: Resolution;
  readonly #buffer = new PixelBuffer();
  readonly #batch: Batch;
  readonly #ofImage: Sketcher;
  readonly #smallPlan = new CountingPlan();
  readonly #images: ImageSketch[] = [];
  readonly #skipped: string[] = [];
  readonly #ids = new Set<string>();
  readonly #pile = new Pile();

  constructor(resolution: Resolution = resolutions.fine) {
    this.#resolution = resolution;
    this.#batch = new Batch(this.#buffer, resolution.batch);
    this.#ofImage = new Sketcher(resolution.kept);
  }

  /** Uncertainty float32 and verdict from `judge`, one entry a pixel. Returns the kept sketch of the image. */
  add(id: string, uncertainty: Float32Array, verdict: Uint8Array): Sketch {
    requireNew(this.#ids, id);
    if (this.#buffer.length > 0 && this.#buffer.length + uncertainty.length > batchPixels) this.#endBatch();
    const range = this.#buffer.append(id, uncertainty, verdict);
    const sketch = this.#keep(range);
    this.#ids.add(id);
    if (pixelsOf(sketch) === 0) this.#skipped.push(id);
    else this.#images.push({ id, sketch });
    return sketch;
  }

  finish(): SketchSet {
    this.#endBatch();
    const sum = this.#pile.sum();
    const total = coarsen(sum, limitsOf(sum, this.#resolution.total));
    return { total, images: this.#images, skipped: this.#skipped };
  }

  #keep(range: PixelRange): Sketch {
    const { batch, kept, total } = this.#resolution;
    if (kept > batch && range.to - range.from >= largeImage) {
      const { plan, counts } = this.#batch.tally(range);
      return this.#ofImage.sketch(this.#buffer, range, plan, counts);
    }
    const counts = emptyCounts(this.#smallPlan);
    tally(this.#buffer, range, this.#smallPlan, counts);
    const sketch = this.#ofImage.sketch(this.#buffer, range, this.#smallPlan, counts);
    if (kept > batch) {
      if (pixelsOf(sketch) >= CHUNK) this.#smallPlan.adapt(counts, sketch, kept); // fewer say little
    } else {
      this.#pile.add(sketch, total); // what is kept is fine enough for the total
      this.#buffer.clear();
    }
    return sketch;
  }

  #endBatch(): void {
    this.#pile.add(this.#batch.finish(), this.#resolution.total);
    this.#buffer.clear();
  }
}

/**
 * The sketches of several parts of a data set as one. The same image in two parts is refused. Sums of up to a quarter
 * of a million intervals are the same in any order; beyond, they are tidied up on the way, so add the parts in a fixed order.
 */
export function addSketchSets(parts: readonly SketchSet[], resolution: Resolution = resolutions.fine): SketchSet {
  const ids = new Set<string>();
  const pile = new Pile();
  for (const part of parts) {
    for (const id of [...part.images.map((image) => image.id), ...part.skipped]) {
      requireNew(ids, id);
      ids.add(id);
    }
    pile.add(part.total, resolution.total);
  }
  return {
    total: pile.sum(),
    images: parts.flatMap((part) => part.images),
    skipped: parts.flatMap((part) => part.skipped),
  };
}

/** A sum that grows: equals are added to equals first, so a small sketch is seldom added to a large one. */
class Pile {
  readonly #layers: Sketch[] = [];

  add(sketch: Sketch, share: number): void {
    this.#layers.push(sketch);
    while (this.#layers.length > 1 && this.#layers.at(-2)!.low.length < 2 * this.#layers.at(-1)!.low.length)
      this.#join();
    const top = this.#layers.pop()!;
    this.#layers.push(top.low.length > mostIntervals ? coarsen(top, limitsOf(top, share)) : top);
  }

  sum(): Sketch {
    while (this.#layers.length > 1) this.#join();
    return this.#layers[0] ?? emptySketch;
  }

  #join(): void {
    const top = this.#layers.pop()!;
    this.#layers.push(addSketches(this.#layers.pop()!, top));
  }
}

function requireNew(ids: ReadonlySet<string>, id: string): void {
  if (ids.has(id)) {
    throw new UserError(`image "${id}" was counted twice`, { hint: "leave it out of one of the parts" });
  }
}
