import { constant, type Value } from "../../engine/graph/value.js";
import { cast, equal, mul, not, scale, sub, where } from "../../engine/ops/elementwise.js";
import { gatherElements } from "../../engine/ops/gather.js";
import { softmax, sum } from "../../engine/ops/reduce.js";
import { concat, cut, reshape } from "../../engine/ops/shaping.js";
import { floats, int64, scalar, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../platform/errors.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import { type FitPass, inTurn, type LabelledOutputs } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { maxSoftmax } from "./maxSoftmax.js";

/** Every fourth pixel in each direction is looked at: neighbours say the same. */
const STRIDE = 4;

/** Sharpness 1 / T at which the slope is measured first: from T = 128 down to T = 1/16, steps of √2. */
const COARSE = Array.from({ length: 23 }, (_, i) => 2 ** (i / 2 - 7));
/** Further places between the two that the minimum lies between. */
const FINE = 8;

/**
 * Max-softmax at the temperature of least surprise (Guo et al., 2017): the T for which -log p(label) is smallest on held-out
 * labelled images. That is a convex problem in 1/T, so its slope, Σ (E_p[s] - s_label), crosses zero once.
 */
export const temperatureScaling: OnePassMethod<{ readonly temperature: number }> = {
  name: "temperature-scaling",
  title: "Temperature scaling",
  family: "further",
  network: "source",
  kind: "one-pass",
  probability: true,
  needsHeldOut: true,
  fit() {
    const coarse = new Slopes(COARSE);
    let fine = coarse;
    const closer = (): FitPass => {
      const [low, high] = coarse.bracket();
      fine = new Slopes(Array.from({ length: FINE + 2 }, (_, i) => low * (high / low) ** (i / (FINE + 1))));
      return fine;
    };
    return inTurn([() => coarse, closer], () => {
      const [low, high] = fine.bracket();
      const sharpness = fine.crossing(low, high);
      const edge = [COARSE[0]!, COARSE.at(-1)!].some((end) => Math.abs(sharpness - end) < 1e-9 * end);
      const remarks = edge
        ? [`the best temperature lies beyond those tried; ${1 / sharpness} is the last of them`]
        : [];
      return { tensors: { temperature: scalar(1 / sharpness) }, remarks };
    });
  },
  settings: ({ fitted }) => (fitted === null ? [] : [{ temperature: floats(fitted.temperature, "temperature")[0]! }]),
  score: maxSoftmax.score,
};

/** How the surprise changes with sharpness, at several of them. */
class Slopes implements FitPass {
  readonly #sharpness: readonly number[];
  readonly #slopes: Float64Array;
  #pixels = 0;

  constructor(sharpness: readonly number[]) {
    this.#sharpness = sharpness;
    this.#slopes = new Float64Array(sharpness.length);
  }

  measure({ scores: all, labels: every }: LabelledOutputs): Record<string, Value> {
    const [, , h, w] = all.shape as [number, number, number, number];
    const thinned = (x: Value, axis: number): Value =>
      cut(x, [
        { axis, start: 0, end: h, step: STRIDE },
        { axis: axis + 1, start: 0, end: w, step: STRIDE },
      ]);
    const scores = thinned(all, 2);
    const labels = thinned(every, 1);
    const [n, , rows, columns] = scores.shape as [number, number, number, number];
    const ids = reshape(labels, [n, 1, rows, columns]);
    const isVoid = equal(ids, constant(int64([], [VOID_LABEL])));
    const labelled = cast(not(isVoid), "float32");
    const own = gatherElements(scores, where(isVoid, constant(int64([], [0])), ids), 1);
    const slopes = this.#sharpness.map((by) => {
      const expected = sum(mul(softmax(scale(scores, by), 1), scores), [1], { keep: true });
      return reshape(sum(mul(sub(expected, own), labelled)), [1]);
    });
    return { slopes: concat(slopes, 0), pixels: sum(labelled) };
  }

  add({ slopes, pixels }: Tensors): void {
    floats(slopes, "slopes").forEach((slope, i) => {
      this.#slopes[i]! += slope;
    });
    this.#pixels += floats(pixels, "pixels")[0]!;
  }

  /** The two neighbours between which the slope turns from falling to rising; an end twice, where it never does. */
  bracket(): [number, number] {
    if (this.#pixels === 0) {
      throw new UserError("no labelled pixel to choose a temperature on", { hint: "name other images: --source-val" });
    }
    const rising = this.#slopes.findIndex((slope) => slope >= 0);
    if (rising === 0) return [this.#sharpness[0]!, this.#sharpness[0]!];
    if (rising < 0) return [this.#sharpness.at(-1)!, this.#sharpness.at(-1)!];
    return [this.#sharpness[rising - 1]!, this.#sharpness[rising]!];
  }

  /** Where a straight line between the two slopes is zero. */
  crossing(low: number, high: number): number {
    if (low === high) return low;
    const [a, b] = [low, high].map((at) => this.#slopes[this.#sharpness.indexOf(at)]!) as [number, number];
    return low + ((high - low) * a) / (a - b);
  }
}
