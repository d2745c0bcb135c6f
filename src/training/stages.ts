import type { TrainConfig } from "../runs/config.js";
import { gammaStages } from "./gammaStages.js";
import { imagesIn, type Stage } from "./stage.js";
import { distilled, supervised } from "./supervised.js";
import type { StageOutline } from "./trainJob.js";

/** The stages of a training, in order. */
export function stagesOf(config: TrainConfig): readonly Stage[] {
  const stages = firstStages(config);
  return config.extended === undefined ? stages : [...stages, ...extensions(stages.at(-1)!, config.extended)];
}

/** What is known of the stages without their data. */
export function outlineOf(config: TrainConfig): StageOutline[] {
  const none = { spec: "", items: [], labelling: null };
  const data = { source: none, targets: config.method === "gamma-ssl" ? config.targets.map(() => none) : [] };
  return stagesOf(config).map((stage) => ({ name: stage.name, steps: stage.steps, images: imagesIn(stage, data) }));
}

function firstStages(config: TrainConfig): readonly Stage[] {
  if (config.method === "gamma-ssl") return gammaStages(config);
  return [config.teacher === undefined ? supervised(config) : distilled(config, config.teacher)];
}

/**
 * More of the last stage, for a training that had ended. It begins with the network alone, which is all that a finished run keeps: the
 * optimiser, a teacher and the history of prototypes start afresh. The learning rate is that of a training with all of these steps; the
 * steps before keep the rates they had.
 */
function extensions(last: Stage, extended: readonly number[]): Stage[] {
  let done = last.steps;
  return extended.map((steps, i) => {
    const before = done;
    done += steps;
    return {
      ...last,
      name: `${EXTENSION}-${i + 1}`,
      steps,
      carryOver(state, training) {
        const network = training.params.flatMap(({ path }) => (state[path] === undefined ? [] : [[path, state[path]]]));
        return last.carryOver(Object.fromEntries(network), training);
      },
      rate: (step) => last.rate(before + step, before + steps),
    };
  });
}

const EXTENSION = "extension";

/** Whether a stage goes on with the one before it, whose end is then of no use. */
export const isExtension = ({ name }: Stage): boolean => name.startsWith(`${EXTENSION}-`);
