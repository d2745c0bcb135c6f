import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../data/datasets/dataset.js";
import { random } from "../engine/tensor/random.js";
import type { BaselineOptions } from "../methods/parts/baselineOptions.js";
import type { Method, OwnNetwork } from "../methods/parts/method.js";
import { UserError } from "../platform/errors.js";
import {
  beginsElsewhere,
  differences,
  readConfig,
  resolveConfig,
  type SupervisedConfig,
  type TrainConfig,
} from "../runs/config.js";
import { type InferenceNetwork, inferenceNetwork, readTensors } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";
import { changedIngredients, ingredientsOf } from "../training/ingredients.js";
import { readRun } from "../training/prepareRun.js";
import { runTraining } from "../training/runTraining.js";
import { stagesOf } from "../training/stages.js";
import type { Pace, TrainEvent } from "../training/trainJob.js";

/** A network that a baseline needs trained for itself. */
export interface BaselineRun {
  /** Its folder in `RUN/baselines`. */
  readonly name: string;
  readonly config: SupervisedConfig;
}

/** DUM bounds the norms of the encoder's convolutions by this (B-10). */
const SPECTRAL_BOUND = 3;

/**
 * Supervised training with the data, crops and budget of a run's first stage (B-0), so that baselines differ from it by what
 * they are, and by nothing else.
 */
export function baselineConfig(config: TrainConfig): SupervisedConfig {
  if (beginsElsewhere(config)) {
    throw new UserError("the run has no first stage of its own, whose budget its baselines could have", {
      hint: `it began with ${config.weights ?? "random weights"}: name the run of these first, "gssl evaluate SOURCE RUN", and baselines are its`,
    });
  }
  return supervisedLike(config);
}

/** The same network, data and pace, learning from labels alone. */
export function supervisedLike(config: TrainConfig): SupervisedConfig {
  if (config.method === "supervised") return config;
  const { options, source, weights, view, seed } = config;
  const { outputStride, asppDropout, width, stages, features } = options.network;
  const [first] = stagesOf(config);
  const resolved = resolveConfig({
    method: "supervised",
    source,
    weights,
    view,
    seed,
    network: { outputStride, asppDropout, width, stages, features },
    batch: options.batch.source,
    steps: first!.steps,
    learningRate: options.training.learningRate,
    schedule: { warmUp: 0, power: options.training.schedule === "poly" ? 0.9 : 0 },
  });
  return resolved as SupervisedConfig;
}

/** Of a member by the seed of its run and its place: ensembles of neighbouring seeds share no member. */
const memberSeed = (seed: number, index: number): number => random(seed, "ensemble", index).below(2 ** 32);

const dropoutName = (rate: number): string => `mc-dropout-${rate}`;

/** Folders of students, by what they learn from their teacher; in the order in which they are trained. */
const students = { "soft-targets": "distilled", uncertainty: "distilled-head" } as const;

/** The networks that some methods need trained, in the order in which they can be. Methods that share networks share them here. */
export function baselineRuns(
  run: TrainConfig,
  methods: readonly Method[],
  { rates, passes }: BaselineOptions,
): BaselineRun[] {
  const wanted = methods.flatMap(({ network }) => (typeof network === "object" ? [network] : []));
  if (wanted.length === 0) return [];
  const base = baselineConfig(run);
  const of = <K extends OwnNetwork["kind"]>(kind: K): Extract<OwnNetwork, { kind: K }>[] =>
    wanted.filter((network): network is Extract<OwnNetwork, { kind: K }> => network.kind === kind);
  const members = Math.max(0, ...of("ensemble").map((network) => network.members));
  const learned = new Set(of("distilled").map(({ learns }) => learns));
  // The teacher of a student is the network of the first rate.
  const drops = of("mc-dropout").length > 0 ? rates : learned.size > 0 ? rates.slice(0, 1) : [];
  const weights = `../${dropoutName(rates[0]!)}/${runFiles.weights}`;
  return [
    ...Array.from({ length: members }, (_, i) => ({
      name: `member-${i + 1}`,
      config: { ...base, seed: memberSeed(base.seed, i) },
    })),
    ...drops.map((rate) => ({
      name: dropoutName(rate),
      config: { ...base, network: { ...base.network, encoderDropout: rate } },
    })),
    ...(Object.keys(students) as (keyof typeof students)[])
      .filter((learns) => learned.has(learns))
      .map((learns) => ({
        name: students[learns],
        config: { ...base, teacher: { weights, rate: rates[0]!, passes: passes[0]!, learns } },
      })),
    ...(of("spectral").length > 0
      ? [{ name: "spectral", config: { ...base, network: { ...base.network, spectralNorm: SPECTRAL_BOUND } } }]
      : []),
  ];
}

const folderOf = ({ folder }: TrainedRun, { name }: BaselineRun): string => join(folder, "baselines", name);

/**
 * Those that are not trained yet. One that was trained with other settings, or on a source, first weights or a teacher that have
 * changed since, is refused.
 */
export async function untrained(
  run: TrainedRun,
  baselines: readonly BaselineRun[],
  source: Dataset,
): Promise<BaselineRun[]> {
  const open: BaselineRun[] = [];
  for (const baseline of baselines) {
    const folder = folderOf(run, baseline);
    if (!existsSync(join(folder, runFiles.weights))) {
      open.push(baseline);
      continue;
    }
    const other = differences(baseline.config, await readConfig(join(folder, runFiles.config)));
    const trained = await readRun(folder);
    if (other.length === 0 && trained !== null) {
      const data = { source, targets: [] };
      other.push(...changedIngredients(await ingredientsOf(folder, baseline.config, data), trained.ingredients));
    }
    if (other.length > 0) {
      throw new UserError(`${folder} holds another network: ${other.join("; ")}`, {
        hint: "remove the folder to train it anew",
      });
    }
  }
  return open;
}

export interface BaselineRequest {
  readonly source: Dataset;
  readonly pace: Pace;
  readonly command: string;
  readonly signal: AbortSignal | undefined;
}

/** Train a baseline's network, or go on with it. */
export async function trainBaseline(
  run: TrainedRun,
  baseline: BaselineRun,
  { source, pace, command, signal }: BaselineRequest,
  onEvent: (event: TrainEvent) => void,
): Promise<void> {
  const data = { source, targets: [] };
  const folder = folderOf(run, baseline);
  const request = { folder, config: baseline.config, data, validation: null, pace, overwrite: false, command };
  await runTraining(request, { onEvent, signal });
}

/** The network of a baseline, trained. */
export async function baselineNetwork(run: TrainedRun, baseline: BaselineRun): Promise<InferenceNetwork> {
  const weights = await readTensors(baselineWeights(run, baseline));
  return inferenceNetwork(baseline.config, weights, `baselines/${baseline.name}/${runFiles.weights}`);
}

/** Where the weights of a baseline lie. */
export const baselineWeights = (run: TrainedRun, baseline: BaselineRun): string =>
  join(folderOf(run, baseline), runFiles.weights);
