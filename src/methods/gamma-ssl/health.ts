import type { Value } from "../../engine/graph/value.js";
import { cast, div, maximum, mul, number, scale } from "../../engine/ops/elementwise.js";
import { sum } from "../../engine/ops/reduce.js";
import { agreement } from "./agreement.js";
import { gammaPrediction } from "./gammaPrediction.js";
import { type Certainty, isConsistent, type Pixels } from "./gammaSolver.js";
import type { GammaOptions } from "./options.js";
import { peak } from "./segmentation.js";

/**
 * What the solver needs to know of both branches: sharpened scores of target and query [N, K, H, W], lying on each other; valid
 * bool [N, H, W].
 */
export function pixelsOf(target: Value, query: Value, valid: Value, options: GammaOptions): Pixels {
  const sharp = (): Value => query;
  const logits = (): Value => scale(query, options.headTemperature);
  return {
    ...gammaPrediction(options, { sharp, logits }),
    peak: peak(query),
    consistent: isConsistent(target, query),
    valid,
  };
}

/** The health of a step, by name (T-8): what a person looks at, and the alarms listen to. */
export function health(pixels: Pixels, mask: Certainty, target: Value): Record<string, Value> {
  const { predicted, consistent, valid } = pixels;
  const classes = target.shape[1]!;
  const found = agreement({ predicted, certain: mask.certain, consistent, valid }, classes);
  const weight = cast(valid, "float32");
  const meanOf = (x: Value): Value => div(sum(mul(x, weight)), maximum(sum(weight), number(1)));
  return {
    gamma: mask.gamma,
    ...(mask.perClass && { "class.gamma": mask.perClass }),
    certain: found.certain,
    consistent: found.consistent,
    // What M_γ leaves of L_c: 1 where every pixel counts.
    counted: meanOf(mask.weight),
    "class.certain": found.certainByClass,
    "class.consistent": found.consistentByClass,
    "class.predicted": found.predictedByClass,
    "agreement.f1": found.f1,
    "agreement.accuracy": found.accuracy,
    "peak.query": meanOf(pixels.peak),
    "peak.target": meanOf(peak(target)),
  };
}
