import { float32, floats, type HostTensor } from "../../engine/tensor/hostTensor.js";
import { invariant } from "../../platform/errors.js";

/** Whether every pixel of the data set counts the same, or every batch, however many pixels of a class it has. */
export type DatasetRule = "pixels" | "batches";

/**
 * Prototypes of a whole data set, for testing (section X-C): batches are added up in double precision, then Eq. 1.
 *
 * `pixels` is Eq. 1 over all pixels at once. `batches` adds up prototypes of batches, each of length 1, as the authors' code does.
 */
export class DatasetPrototypes {
  readonly #rule: DatasetRule;
  readonly #features: number;
  readonly #classes: number;
  readonly #sums: Float64Array;

  constructor({ features, classes, rule }: { features: number; classes: number; rule: DatasetRule }) {
    this.#rule = rule;
    this.#features = features;
    this.#classes = classes;
    this.#sums = new Float64Array(features * classes);
  }

  /** A batch's `classSums`: sums [F, K]. */
  add(sums: HostTensor): void {
    const values = floats(sums, "sums");
    invariant(values.length === this.#sums.length, `sums of ${values.length} elements, wanted ${this.#sums.length}`);
    const lengths = this.#rule === "batches" ? this.#lengths(values) : null;
    for (let i = 0; i < values.length; i++) {
      const length = lengths === null ? 1 : lengths[i % this.#classes]!;
      if (length > 0) this.#sums[i]! += values[i]! / length;
    }
  }

  /** [F, K], columns of length 1; zeros for classes never seen. */
  finish(): HostTensor {
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

/** The angle between two sets of prototypes [F, K], class by class in degrees; null where either has none. */
export function anglesBetween(a: HostTensor, b: HostTensor): (number | null)[] {
  const [left, right] = [floats(a, "prototypes"), floats(b, "prototypes")];
  const classes = a.shape[1]!;
  return Array.from({ length: classes }, (_, k) => {
    let [product, lengthA, lengthB] = [0, 0, 0];
    for (let i = k; i < left.length; i += classes) {
      product += left[i]! * right[i]!;
      lengthA += left[i]! ** 2;
      lengthB += right[i]! ** 2;
    }
    if (lengthA === 0 || lengthB === 0) return null;
    const cosine = Math.min(1, Math.max(-1, product / Math.sqrt(lengthA * lengthB)));
    return (Math.acos(cosine) * 180) / Math.PI;
  });
}
