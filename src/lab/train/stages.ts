import type { TrainConfig } from "./config.js";
import { gammaStages } from "./gammaStages.js";
import type { Stage } from "./stage.js";
import { supervised } from "./supervised.js";

/** The stages of a training, in order. */
export function stagesOf(config: TrainConfig): readonly Stage[] {
  return config.method === "supervised" ? [supervised(config)] : gammaStages(config);
}
