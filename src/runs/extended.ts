import { differences, type TrainConfig } from "./config.js";

/** Steps of the last stage (γ-SSL: of the adaptation to a target), with those that were added. */
const stepsAsked = (config: TrainConfig): number =>
  firstSteps(config) + (config.extended ?? []).reduce((total, steps) => total + steps, 0);

const firstSteps = (config: TrainConfig): number =>
  config.method === "supervised" ? config.steps : config.options.training.adaptation;

function withFirstSteps(config: TrainConfig, steps: number): TrainConfig {
  if (config.method === "supervised") return { ...config, steps };
  return { ...config, options: { ...config.options, training: { ...config.options.training, adaptation: steps } } };
}

/** Steps of all stages together. */
export function totalSteps(config: TrainConfig): number {
  const { extended = [] } = config;
  const added = extended.reduce((total, steps) => total + steps, 0);
  if (config.method === "supervised") return config.steps + added;
  const { pretraining, adaptation } = config.options.training;
  return pretraining + adaptation * config.targets.length + added;
}

/**
 * The config of a run that goes on, given the one asked for and the one in its folder: the latter, with a further stage where the former
 * has more steps and is the same otherwise. Null where they are of different runs.
 */
export function goingOn(asked: TrainConfig, found: TrainConfig): TrainConfig | null {
  const more = stepsAsked(asked) - stepsAsked(found);
  const likened = withFirstSteps({ ...asked, extended: found.extended }, firstSteps(found));
  if (more < 0 || differences(likened, found).length > 0) return null;
  if (more === 0) return found;
  return firstSteps(found) === 0 ? null : { ...found, extended: [...(found.extended ?? []), more] };
}
