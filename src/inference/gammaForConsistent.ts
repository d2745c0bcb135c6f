import { type Interval, ratioOf } from "../metrics/bootstrap.js";
import { pixelsOf } from "../metrics/sketch.js";
import type { SketchSet } from "../metrics/sketchSet.js";
import type { DeployedImages } from "./deployedImages.js";

export interface ConsistentGamma {
  readonly gamma: number;
  /** 95 % when whole images are drawn again and again. */
  readonly interval: Interval | null;
  /** The share of pixels that are consistent. */
  readonly consistent: number;
}

/**
 * γ that makes as many pixels of whole images certain as are consistent between views. Alg. 1 counts both in the views, half of
 * which are cut and so less certain than the images that γ is for.
 */
export async function gammaForConsistent(set: SketchSet, whole: DeployedImages): Promise<ConsistentGamma> {
  const { value, interval } = ratioOf(
    set.images.map(({ sketch }) => ({ part: sketch.rights, whole: pixelsOf(sketch) })),
  );
  const consistent = value!;
  const [gamma, low, high] = await whole.gammasFor([
    consistent,
    ...(interval === null ? [] : [interval.high, interval.low]),
  ]);
  return { gamma: gamma!, interval: interval === null ? null : { low: low!, high: high! }, consistent };
}
