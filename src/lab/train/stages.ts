import type { TrainConfig } from "./config.js";
import { distilled } from "./distilled.js";
import { gammaStages } from "./gammaStages.js";
import type { Stage } from "./stage.js";
import { supervised } from "./supervised.js";

/** The stages of a training, in order. */
export function stagesOf(config: TrainConfig): readonly Stage[] {
  if (config.method === "gamma-ssl") return gammaStages(config);
  return [config.teacher === undefined ? supervised(config) : distilled(config, config.teacher)];
}

/** Whether a training has no first stage of its own: it adapts what another one was for. */
export const beginsElsewhere = (config: TrainConfig): boolean =>
  config.method === "gamma-ssl" && stagesOf(config)[0]?.name !== "pretraining";
