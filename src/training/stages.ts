import type { TrainConfig } from "../runs/config.js";
import { distilled } from "./distilled.js";
import { gammaStages } from "./gammaStages.js";
import type { Stage } from "./stage.js";
import { supervised } from "./supervised.js";

/** The stages of a training, in order. */
export function stagesOf(config: TrainConfig): readonly Stage[] {
  if (config.method === "gamma-ssl") return gammaStages(config);
  return [config.teacher === undefined ? supervised(config) : distilled(config, config.teacher)];
}
