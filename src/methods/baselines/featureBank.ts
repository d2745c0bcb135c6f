import type { Value } from "../../engine/graph/value.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { UserError } from "../../platform/errors.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import type { FitPass, LabelledOutputs } from "../parts/fitting.js";

/**
 * Features of so many labelled pixels of the source, each pixel with the same chance, however many there are: a reservoir
 * (Vitter, 1985, algorithm R). The same seed and images give the same bank.
 */
export class FeatureBank implements FitPass {
  readonly #capacity: number;
  readonly #features: number;
  readonly #draw;
  readonly #kept: Float32Array;
  #seen = 0;

  constructor({ capacity, features, seed }: { capacity: number; features: number; seed: number }) {
    this.#capacity = capacity;
    this.#features = features;
    this.#draw = random(seed, "feature bank");
    this.#kept = new Float32Array(capacity * features);
  }

  measure({ features, cells }: LabelledOutputs): Record<string, Value> {
    return { features, cells };
  }

  add({ features, cells }: Tensors): void {
    const values = floats(features, "features");
    const [, , h, w] = features!.shape as [number, number, number, number];
    const pixels = h * w;
    cells!.data.forEach((label: number | bigint, at: number) => {
      if (Number(label) === VOID_LABEL) return;
      const place = this.#seen < this.#capacity ? this.#seen : this.#draw.below(this.#seen + 1);
      this.#seen++;
      if (place >= this.#capacity) return;
      const start = Math.floor(at / pixels) * this.#features * pixels + (at % pixels);
      for (let f = 0; f < this.#features; f++) {
        this.#kept[place * this.#features + f] = values[start + f * pixels]!;
      }
    });
  }

  /** [pixels, F], row by row: as many as there is room for, or as were seen. */
  get rows(): Float32Array {
    if (this.#seen === 0) {
      throw new UserError("the source has no labelled pixel to remember features of", {
        hint: "see what is in it with gssl inspect",
      });
    }
    return this.#kept.subarray(0, Math.min(this.#seen, this.#capacity) * this.#features);
  }
}
