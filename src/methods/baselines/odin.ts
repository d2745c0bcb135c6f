import { log, neg, scale } from "../../engine/ops/elementwise.js";
import { max, mean, softmax } from "../../engine/ops/reduce.js";
import type { AdversarialMethod } from "../parts/method.js";
import { GRADIENT_NEEDED } from "./adversarial.js";
import { maxSoftmax } from "./maxSoftmax.js";

/** Step sizes to try: 21 from 0 to 0.004, in units of the image before it is normalised (Liang et al., 2018). */
const STEPS = Array.from({ length: 21 }, (_, i) => (i * 0.004) / 20);
/** T and ε of the baseline of SegmentMeIfYouCan, which is about segmentation. */
const SMIYC = { temperature: 3, epsilon: 1e-4 } as const;

/**
 * Softmax_A: ODIN (Liang et al., 2018; B-6). The objective is the mean over pixels of -log max σ(s / T).
 *
 * The temperature is chosen first, without a step, then the step at that temperature: 31 tries instead of 210. The setting of
 * SegmentMeIfYouCan's baseline is always among them, and is the default.
 */
export const odin: AdversarialMethod<{ readonly temperature: number; readonly epsilon: number }> = {
  name: "odin",
  title: "Softmax_A",
  family: "representation",
  network: "source",
  obstacle: GRADIENT_NEEDED,
  kind: "adversarial",
  basis: maxSoftmax,
  settings: ({ basis }) => {
    const temperature = Number(basis.temperature ?? 1);
    return [SMIYC, ...STEPS.map((epsilon) => ({ temperature, epsilon }))];
  },
  objective: ({ scores }, _, { temperature }) => neg(mean(log(max(softmax(scale(scores, 1 / temperature), 1), [1])))),
};
