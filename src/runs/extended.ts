import { differences, type TrainConfig } from "./config.js";

/** Steps of the last stage (γ-SSL: of the adaptation to a target), with those that were added. */
const stepsAsked = (config: TrainConfig): number =>
  firstSteps(config) + (config.extended ?? []).reduce((total, steps) => total + steps, 0);

const firstSteps = (config: TrainConfig): number =>
  config.method === "supervised" ? config.steps : config.options.training.adaptation;

/** The same training with so many steps from the start. */
function withSteps({ extended: _, ...config }: TrainConfig, steps: number): TrainConfig {
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

/** What becomes of a run where a training is asked for in its folder. */
export type Continuation =
  /** It goes on as it is. `since`: steps that it was given after the training that is asked for, whose command is still good. */
  | { readonly kind: "same"; readonly config: TrainConfig; readonly since: number }
  /** More steps than the run has: a further stage, once it is finished. */
  | { readonly kind: "more"; readonly config: TrainConfig; readonly has: number; readonly asked: number }
  | { readonly kind: "other"; readonly differences: readonly string[] };

/** Whether a training is that of a run: the same settings but for steps that are added at its end. */
export function goingOn(asked: TrainConfig, found: TrainConfig): Continuation {
  const [wanted, has] = [stepsAsked(asked), stepsAsked(found)];
  const [here, there] = [asked, found].map((config) => withSteps(config, stepsAsked(config))) as [
    TrainConfig,
    TrainConfig,
  ];
  const same = differences(withSteps(here, has), there).length === 0;
  if (same && lengths(found).includes(wanted)) return { kind: "same", config: found, since: has - wanted };
  // Without a second stage there is nothing to add to.
  if (!same || wanted < has || firstSteps(found) === 0) return { kind: "other", differences: differences(here, there) };
  const extended = [...(found.extended ?? []), wanted - has];
  return { kind: "more", config: { ...found, extended }, has, asked: wanted };
}

/** The steps it was asked for at first, and after each time it was given more. */
function lengths(config: TrainConfig): number[] {
  const sums = [firstSteps(config)];
  for (const steps of config.extended ?? []) sums.push(sums.at(-1)! + steps);
  return sums;
}
