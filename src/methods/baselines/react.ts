import { constant } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { minimum, number } from "../../engine/ops/elementwise.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { type FittedMethod, inTurn } from "../fittedMethod.js";
import { freeEnergy } from "./energy.js";
import { FeatureBank } from "./featureBank.js";

/** Shares of the source's activations to leave as they are. The authors take 0.9. */
const PERCENTILES = [0.9, 0.8, 0.85, 0.95, 0.99] as const;

/** Pixels whose activations stand for all of them. */
const PIXELS = 4096;

/**
 * ReAct (Sun et al., 2021): activations above what the source reaches are cut off before the last layer, then energy. The class
 * stays the one of the untouched network.
 */
export const react = ({ seed }: { readonly seed: number }): FittedMethod => ({
  name: "react",
  fit({ features, head }) {
    const bank = new FeatureBank({ capacity: PIXELS, features, seed });
    return inTurn([() => bank], () => {
      const sorted = Float32Array.from(bank.rows).sort();
      const limits = PERCENTILES.map(
        (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!,
      );
      return { tensors: { limits: float32([limits.length], limits), ...head }, remarks: [] };
    });
  },
  candidates: ({ limits, weight, bias }) =>
    PERCENTILES.map((percentile, i) => ({
      settings: { percentile },
      scorer: {
        name: "react",
        score: ({ features, predicted, enlarge }) => {
          const cut = minimum(features, number(floats(limits, "limits")[i]!));
          const logits = conv2d(cut, constant(weight!), {}, constant(bias!));
          return { predicted, uncertainty: freeEnergy(enlarge(logits)) };
        },
      },
    })),
});
