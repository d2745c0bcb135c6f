import { type CellRange, CountingPlan } from "./countingPlan.js";
import { clear, countPixels, emptyCounts, Sketcher } from "./countPixels.js";
import { CHUNK, type PixelBuffer, type PixelRange } from "./pixelBuffer.js";
import type { Sketch } from "./sketch.js";

/** The pixels in the buffer, as one sketch. */
export class Batch {
  readonly #buffer: PixelBuffer;
  readonly #share: number;
  readonly #sketcher: Sketcher;
  readonly #plan = new CountingPlan();
  #counts = emptyCounts(this.#plan);
  #ofImage = emptyCounts(this.#plan);
  /** Cells in which the image has pixels. */
  #inImage: CellRange = { from: 0, to: 0 };
  /** Pixels before this one are in the counts. */
  #counted = 0;

  constructor(buffer: PixelBuffer, share: number) {
    this.#buffer = buffer;
    this.#share = share;
    this.#sketcher = new Sketcher(share);
  }

  /** Count the image at the end of the buffer: its own counts, valid until the next call. */
  countPixels(range: PixelRange): { plan: CountingPlan; counts: Uint32Array } {
    this.#tallyUpTo(range.from);
    if (!this.#plan.learnt && range.from === 0) this.#learnFrom(range);
    this.#tallyImage(range);
    addTo(this.#counts, this.#ofImage, this.#inImage);
    this.#counted = range.to;
    return { plan: this.#plan, counts: this.#ofImage };
  }

  /** The sketch of all of the buffer, whose next pixel will be the first of the next batch. */
  finish(): Sketch {
    const { length } = this.#buffer;
    this.#tallyUpTo(length);
    const { first, last } = this.#buffer;
    const sketch = this.#sketcher.sketch(this.#buffer, { from: 0, to: length, first, last }, this.#plan, this.#counts);
    const cells = this.#plan.cellsBetween(this.#buffer);
    if (this.#share > 0 && length >= CHUNK) this.#plan.adapt(this.#counts, sketch, this.#share);
    clear(this.#counts, cells);
    this.#makeRoom();
    this.#counted = 0;
    return sketch;
  }

  /** A guess from the first image is better than no plan for a whole batch. */
  #learnFrom(range: PixelRange): void {
    this.#tallyImage(range);
    this.#plan.adapt(this.#ofImage, range, this.#share);
    this.#makeRoom();
  }

  #tallyImage(range: PixelRange): void {
    clear(this.#ofImage, this.#inImage);
    countPixels(this.#buffer, range, this.#plan, this.#ofImage);
    this.#inImage = this.#plan.cellsBetween(range);
  }

  /** After the plan has changed, and while nothing is tallied. */
  #makeRoom(): void {
    if (this.#counts.length >= 2 * this.#plan.cells) return;
    [this.#counts, this.#ofImage] = [emptyCounts(this.#plan), emptyCounts(this.#plan)];
  }

  #tallyUpTo(end: number): void {
    countPixels(this.#buffer, { from: this.#counted, to: end }, this.#plan, this.#counts);
    this.#counted = end;
  }
}

function addTo(counts: Uint32Array, more: Uint32Array, { from, to }: CellRange): void {
  for (let i = 2 * from; i < 2 * to; i++) counts[i]! += more[i]!;
}
