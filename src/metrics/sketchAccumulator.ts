import { coarsen, limitsOf } from "./coarsen.js";
import { addSketches, emptySketch, type Sketch } from "./sketch.js";

/** Past this many intervals a sum is tidied up while it grows; about 10 MB. */
const mostIntervals = 2 ** 18;

/** A sum that grows: equals are added to equals first, so a small sketch is seldom added to a large one. */
export class SketchAccumulator {
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
