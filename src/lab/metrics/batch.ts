import { CountingPlan } from "./countingPlan.js";
import { emptyCounts, Sketcher, tally } from "./countPixels.js";
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
  /** Pixels before this one are in the counts. */
  #tallied = 0;

  constructor(buffer: PixelBuffer, share: number) {
    this.#buffer = buffer;
    this.#share = share;
    this.#sketcher = new Sketcher(share);
  }

  /** Tally the image at the end of the buffer: its own counts, valid until the next call. */
  tally(range: PixelRange): { plan: CountingPlan; counts: Uint32Array } {
    this.#tallyUpTo(range.from);
    if (!this.#plan.learnt && range.from === 0) this.#learnFrom(range);
    this.#ofImage.fill(0);
    tally(this.#buffer, range, this.#plan, this.#ofImage);
    addTo(this.#counts, this.#ofImage);
    this.#tallied = range.to;
    return { plan: this.#plan, counts: this.#ofImage };
  }

  /** The sketch of all of the buffer, whose next pixel will be the first of the next batch. */
  finish(): Sketch {
    const { length } = this.#buffer;
    this.#tallyUpTo(length);
    const { first, last } = this.#buffer;
    const sketch = this.#sketcher.sketch(this.#buffer, { from: 0, to: length, first, last }, this.#plan, this.#counts);
    if (this.#share > 0 && length >= CHUNK) this.#adapt(this.#counts, sketch);
    else this.#counts.fill(0);
    this.#tallied = 0;
    return sketch;
  }

  /** A guess from the first image is better than no plan for a whole batch. */
  #learnFrom(range: PixelRange): void {
    tally(this.#buffer, range, this.#plan, this.#ofImage);
    this.#adapt(this.#ofImage, range);
  }

  #adapt(counts: Uint32Array, extremes: { readonly first: number; readonly last: number }): void {
    this.#plan.adapt(counts, extremes, this.#share);
    if (this.#counts.length === 2 * this.#plan.cells) this.#counts.fill(0);
    else [this.#counts, this.#ofImage] = [emptyCounts(this.#plan), emptyCounts(this.#plan)];
  }

  #tallyUpTo(end: number): void {
    tally(this.#buffer, { from: this.#tallied, to: end }, this.#plan, this.#counts);
    this.#tallied = end;
  }
}

function addTo(counts: Uint32Array, more: Uint32Array): void {
  for (let i = 0; i < counts.length; i++) counts[i]! += more[i]!;
}
