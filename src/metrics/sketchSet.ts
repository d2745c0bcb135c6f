import { UserError } from "../platform/errors.js";
import { Batch } from "./batch.js";
import { coarsen, limitsOf } from "./coarsen.js";
import { CountingPlan } from "./countingPlan.js";
import { clear, countPixels, emptyCounts, Sketcher } from "./countPixels.js";
import { BATCH, CHUNK, PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import { addSketches, compact, emptySketch, pixelsOf, type Sketch } from "./sketch.js";

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

/** How finely pixels are counted. */
export const resolutions = {
  fine: { batch: 1e-4, total: 1e-5, kept: 1 / 512 },
  exact: { batch: 0, total: 0, kept: 0 },
} as const satisfies Record<string, Resolution>;

/** An image of this many pixels is tallied once, for the total and for itself; for a smaller one that is too fine. */
const largeImage = 2 ** 17;

/** Adds images one by one. Memory grows with the number of images (some 20 KB each), not with their pixels. */
export class SketchBuilder {
  readonly #resolution: Resolution;
  readonly #buffer = new PixelBuffer();
  readonly #batch: Batch;
  readonly #ofImage: Sketcher;
  readonly #smallPlan = new CountingPlan();
  #smallCounts = emptyCounts(this.#smallPlan);
  readonly #pile: SketchAccumulator;
  #images: ImageSketch[] = [];
  #skipped: string[] = [];
  #ids = new Set<string>();

  constructor(resolution: Resolution = resolutions.fine) {
    this.#resolution = resolution;
    this.#batch = new Batch(this.#buffer, resolution.batch);
    this.#pile = new SketchAccumulator(resolution.total);
    this.#ofImage = new Sketcher(resolution.kept);
  }

  /** Uncertainty float32 and verdict from `judge`, one entry a pixel. Returns the kept sketch of the image. */
  add(id: string, uncertainty: Float32Array, verdict: Uint8Array): Sketch {
    requireNew(this.#ids, id);
    if (this.#buffer.length > 0 && this.#buffer.length + uncertainty.length > BATCH) this.#endBatch();
    const range = this.#buffer.append(id, uncertainty, verdict);
    const sketch = compact(this.#keep(range));
    this.#ids.add(id);
    if (pixelsOf(sketch) === 0) this.#skipped.push(id);
    else this.#images.push({ id, sketch });
    return sketch;
  }

  /** The set of all images added. The next one begins a new set, which owes nothing to this one but speed. */
  finish(): SketchSet {
    this.#endBatch();
    const set = { total: this.#pile.take(), images: this.#images, skipped: this.#skipped };
    [this.#images, this.#skipped, this.#ids] = [[], [], new Set()];
    return tidy(set, this.#resolution);
  }

  #keep(range: PixelRange): Sketch {
    const { batch, kept } = this.#resolution;
    if (kept > batch && range.to - range.from >= largeImage) {
      const { plan, counts } = this.#batch.countPixels(range);
      return this.#ofImage.sketch(this.#buffer, range, plan, counts);
    }
    const plan = this.#smallPlan;
    if (this.#smallCounts.length < 2 * plan.cells) this.#smallCounts = emptyCounts(plan);
    const counts = this.#smallCounts;
    countPixels(this.#buffer, range, plan, counts);
    const sketch = this.#ofImage.sketch(this.#buffer, range, plan, counts);
    const cells = plan.cellsBetween(range);
    if (kept > batch && pixelsOf(sketch) >= CHUNK) plan.adapt(counts, sketch, kept); // fewer say little
    clear(counts, cells);
    if (kept <= batch) {
      this.#pile.add(sketch); // what is kept is fine enough for the total
      this.#buffer.clear();
    }
    return sketch;
  }

  #endBatch(): void {
    this.#pile.add(this.#batch.finish());
    this.#buffer.clear();
  }
}

/** Join neighbours that hold next to nothing together: the last step before a total is kept. */
export function tidy(set: SketchSet, { total }: Resolution): SketchSet {
  return { ...set, total: coarsen(set.total, limitsOf(set.total, total)) };
}

/**
 * How many images of this size one batch holds. Cut a data set into groups of so many, sketch each by itself and add them up
 * in order: then nothing depends on who sketched which.
 */
export const imagesPerBatch = (pixels: number): number => Math.max(1, Math.floor(BATCH / Math.max(1, pixels)));

/**
 * Adds the sketches of parts of a data set, one by one. The same image in two parts is refused. Sums of up to a quarter
 * of a million intervals are the same in any order; beyond, they are tidied up on the way, so add the parts in a fixed order.
 */
export class SketchSum {
  readonly #pile: SketchAccumulator;
  readonly #images: ImageSketch[] = [];
  readonly #skipped: string[] = [];
  readonly #ids = new Set<string>();

  constructor(resolution: Resolution = resolutions.fine) {
    this.#pile = new SketchAccumulator(resolution.total);
  }

  add({ total, images, skipped }: SketchSet): void {
    for (const id of [...images.map((image) => image.id), ...skipped]) {
      requireNew(this.#ids, id);
      this.#ids.add(id);
    }
    this.#pile.add(total);
    this.#images.push(...images);
    this.#skipped.push(...skipped);
  }

  finish(): SketchSet {
    return { total: this.#pile.take(), images: this.#images, skipped: this.#skipped };
  }
}

/** The sketches of several parts of a data set as one. */
export function addSketchSets(parts: readonly SketchSet[], resolution: Resolution = resolutions.fine): SketchSet {
  const sum = new SketchSum(resolution);
  for (const part of parts) sum.add(part);
  return sum.finish();
}

function requireNew(ids: ReadonlySet<string>, id: string): void {
  if (ids.has(id)) {
    throw new UserError(`image "${id}" was counted twice`, { hint: "leave it out of one of the parts" });
  }
}

/** Past this many intervals a sum is tidied up while it grows; about 10 MB. */
const mostIntervals = 2 ** 18;

/** A sum that grows: equals are added to equals first, so a small sketch is seldom added to a large one. */
class SketchAccumulator {
  readonly #share: number;
  readonly #layers: Sketch[] = [];

  /** `share` of the pixels of a kind may hide in an interval after tidying up. */
  constructor(share: number) {
    this.#share = share;
  }

  add(sketch: Sketch): void {
    this.#layers.push(sketch);
    while (this.#layers.length > 1 && this.#layers.at(-2)!.low.length < 2 * this.#layers.at(-1)!.low.length)
      this.#join();
    const top = this.#layers.pop()!;
    this.#layers.push(top.low.length > mostIntervals ? coarsen(top, limitsOf(top, this.#share)) : top);
  }

  /** The sum; the pile is empty afterwards. */
  take(): Sketch {
    while (this.#layers.length > 1) this.#join();
    return this.#layers.pop() ?? emptySketch;
  }

  #join(): void {
    const top = this.#layers.pop()!;
    this.#layers.push(addSketches(this.#layers.pop()!, top));
  }
}
