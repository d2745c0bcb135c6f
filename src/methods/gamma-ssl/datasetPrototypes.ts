import { float32, floats, type HostTensor } from "../../engine/tensor/hostTensor.js";
import { invariant } from "../../platform/errors.js";

/**
 * Prototypes of a whole data set, for testing (section X-C): images are added up in double precision, then Eq. 1.
 *
 * Every pixel counts the same, which is Eq. 1 over all pixels at once. Or every batch does, however many pixels of a class it has:
 * prototypes of batches, each of length 1, are added up, as the authors' code does.
 */
export class DatasetPrototypes {
  readonly #batch: number | null;
  readonly #features: number;
  readonly #classes: number;
  readonly #sums: Float64Array;
  /** The batch that is not full yet. */
  readonly #open: Float64Array;
  #images = 0;

  /** `batch`: images in a batch; null where pixels count. */
  constructor({ features, classes, batch }: { features: number; classes: number; batch: number | null }) {
    this.#batch = batch;
    this.#features = features;
    this.#classes = classes;
    this.#sums = new Float64Array(features * classes);
    this.#open = new Float64Array(features * classes);
  }

  /** An image's `classSums`: [F, K]. */
  add(sums: HostTensor): void {
    const values = floats(sums, "sums");
    const { length } = this.#sums;
    invariant(values.length === length, `sums of ${values.length} elements, wanted ${length}`);
    for (let i = 0; i < length; i++) this.#open[i]! += values[i]!;
    this.#images++;
    if (this.#images === this.#batch) this.#close();
  }

  #close(): void {
    const lengths = this.#batch === null ? null : this.#lengths(this.#open);
    for (let i = 0; i < this.#sums.length; i++) {
      const length = lengths === null ? 1 : lengths[i % this.#classes]!;
      if (length > 0) this.#sums[i]! += this.#open[i]! / length;
    }
    this.#open.fill(0);
    this.#images = 0;
  }

  /** [F, K], columns of length 1; zeros for classes never seen. */
  finish(): HostTensor {
    this.#close();
    const lengths = this.#lengths(this.#sums);
    const unit = Float32Array.from(this.#sums, (value, i) => {
      const length = lengths[i % this.#classes]!;
      return length > 0 ? value / length : 0;
    });
    return float32([this.#features, this.#classes], unit);
  }

  /** Length of each column. */
  #lengths(values: ArrayLike<number>): number[] {
    const squares = new Array<number>(this.#classes).fill(0);
    for (let i = 0; i < values.length; i++) squares[i % this.#classes]! += values[i]! ** 2;
    return squares.map(Math.sqrt);
  }
}
