import type { Value } from "../../engine/graph/value.js";
import { cast, div, maximum, mul, number, scale } from "../../engine/ops/elementwise.js";
import { argmax, sum } from "../../engine/ops/reduce.js";
import { agreement } from "./agreement.js";
import { answerOf, type Sized } from "./answer.js";
import { type Certainty, isConsistent, type Pixels } from "./gammaSolver.js";
import type { GammaOptions } from "./options.js";
import { peak } from "./segmentation.js";

/** What was seen in the query's view: sharpened scores of its branch, and those of the head as they are. */
export interface Query {
  readonly scores: Sized;
  readonly byHead: Sized;
  /** [N, K, h, w] -> [N, K, H, W], to where the target lies. */
  align(maps: Value): Value;
}

/**
 * What the solver needs to know of both branches: sharpened scores of the target [N, K, H, W], and the query aligned with them; valid bool [N, H, W].
 * Where it is the head that names classes, certainty is that of the class it names in the query's view.
 */
export function pixelsOf(target: Value, { scores, byHead, align }: Query, valid: Value, options: GammaOptions): Pixels {
  const query = scores.full;
  const sure = (): Value => {
    // A head's scores know no bounds, so its certainty is the largest probability, at the temperature it was trained at.
    if (options.branches.query === "head") return peak(scale(query, options.headTemperature));
    return answerOf({ sharp: scores, logits: byHead, enlarge: align }, options).sure;
  };
  return {
    predicted: argmax(query, 1),
    confidence: sure(),
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
    "class.certain": found.certainByClass,
    "class.consistent": found.consistentByClass,
    "class.predicted": found.predictedByClass,
    "agreement.f1": found.f1,
    "agreement.accuracy": found.accuracy,
    "peak.query": meanOf(pixels.peak),
    "peak.target": meanOf(peak(target)),
  };
}
