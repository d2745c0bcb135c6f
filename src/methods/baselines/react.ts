import { constant } from "../../engine/graph/value.js";
import { conv2d } from "../../engine/ops/conv.js";
import { minimum, number } from "../../engine/ops/elementwise.js";
import { float32, floats } from "../../engine/tensor/hostTensor.js";
import { inTurn } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
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
export const react: OnePassMethod<{ readonly percentile: (typeof PERCENTILES)[number] }> = {
  name: "react",
  title: "ReAct",
  family: "further",
  network: "source",
  kind: "one-pass",
  fit({ features, head, seed }) {
    const bank = new FeatureBank({ capacity: PIXELS, features, seed });
    return inTurn([() => bank], () => {
      const sorted = Float32Array.from(bank.rows).sort();
      const limits = PERCENTILES.map(
        (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!,
      );
      return { tensors: { limits: float32([limits.length], limits), ...head }, remarks: [] };
    });
  },
  settings: () => PERCENTILES.map((percentile) => ({ percentile })),
  score({ features, predicted, enlarge }, { limits, weight, bias }, { percentile }) {
    const limit = floats(limits, "limits")[PERCENTILES.indexOf(percentile)]!;
    const logits = conv2d(minimum(features, number(limit)), constant(weight!), {}, constant(bias!));
    return { predicted, uncertainty: freeEnergy(enlarge(logits)) };
  },
};
