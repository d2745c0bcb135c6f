import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../data/datasets/dataset.js";
import { UserError } from "../platform/errors.js";
import {
  beginsElsewhere,
  differences,
  resolveConfig,
  type SupervisedConfig,
  type TrainConfig,
} from "../runs/config.js";
import { type InferenceNetwork, inferenceNetwork, readTensors } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { runFiles } from "../runs/runFiles.js";
import { stagesOf } from "../training/stages.js";
import { train } from "../training/train.js";
import type { TrainEvent } from "../training/trainEvents.js";
import type { Pace } from "../training/trainLoop.js";
import type { BaselineOptions } from "./baselineOptions.js";
import { type Kin, kinOf, type MethodName, membersIn } from "./methodNames.js";

/** A network that a baseline needs trained for itself. */
export interface BaselineRun {
  /** Its folder in `RUN/baselines`. */
  readonly name: string;
  readonly config: SupervisedConfig;
}

/** Kinds of methods that look through networks of their own. */
const TRAINED: readonly Kin[] = ["ensemble", "mc-dropout", "distilled", "distilled-head", "spectral"];

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

export const ensembleName = (member: number): string => `ensemble-${member}`;
export const dropoutName = (rate: number): string => `mc-dropout-${rate}`;

/** The networks that some methods need, in the order in which they can be trained. */
export function baselineRuns(
  run: TrainConfig,
  methods: readonly MethodName[],
  { rates, passes }: BaselineOptions,
): BaselineRun[] {
  const kins = new Set(methods.map((name) => kinOf[name]));
  if (![...kins].some((kin) => TRAINED.includes(kin))) return [];
  const base = baselineConfig(run);
  const distils = kins.has("distilled") || kins.has("distilled-head");
  const drops = kins.has("mc-dropout") ? rates : distils ? rates.slice(0, 1) : [];
  const student = (name: string, learns: "soft-targets" | "uncertainty"): BaselineRun => ({
    name,
    config: {
      ...base,
      teacher: {
        weights: `../${dropoutName(rates[0]!)}/${runFiles.weights}`,
        rate: rates[0]!,
        passes: passes[0]!,
        learns,
      },
    },
  });
  return [
    ...Array.from({ length: Math.max(0, ...methods.map(membersIn)) }, (_, i) => ({
      name: ensembleName(i + 1),
      config: { ...base, seed: base.seed + i + 1 },
    })),
    ...drops.map((rate) => ({
      name: dropoutName(rate),
      config: { ...base, network: { ...base.network, encoderDropout: rate } },
    })),
    ...(kins.has("distilled") ? [student("distilled", "soft-targets")] : []),
    ...(kins.has("distilled-head") ? [student("distilled-head", "uncertainty")] : []),
    ...(kins.has("spectral")
      ? [{ name: "spectral", config: { ...base, network: { ...base.network, spectralNorm: SPECTRAL_BOUND } } }]
      : []),
  ];
}

const folderOf = ({ folder }: TrainedRun, { name }: Pick<BaselineRun, "name">): string =>
  join(folder, "baselines", name);

/** Those that are not trained yet. One that was trained with other settings is refused. */
export async function untrained(run: TrainedRun, baselines: readonly BaselineRun[]): Promise<BaselineRun[]> {
  const open: BaselineRun[] = [];
  for (const baseline of baselines) {
    const folder = folderOf(run, baseline);
    if (!existsSync(join(folder, runFiles.weights))) {
      open.push(baseline);
      continue;
    }
    const path = join(folder, runFiles.config);
    const found = resolveConfig(JSON.parse(await readFile(path, "utf8")), path);
    const other = differences(baseline.config, found);
    if (other.length > 0) {
      throw new UserError(`${folder} holds another network: ${other.join("; ")}`, {
        hint: "remove the folder to train it anew",
      });
    }
  }
  return open;
}

/** Train a baseline's network, or go on with it. */
export async function trainBaseline(
  run: TrainedRun,
  baseline: BaselineRun,
  { source, pace, command }: { readonly source: Dataset; readonly pace: Pace; readonly command: string },
  onEvent: (event: TrainEvent) => void,
): Promise<"finished" | "stopped"> {
  const data = { source, targets: [] };
  const folder = folderOf(run, baseline);
  return train({ folder, config: baseline.config, data, validation: null, pace, fresh: false, command }, onEvent);
}

/** The network of a baseline, trained. */
export async function baselineNetwork(run: TrainedRun, baseline: BaselineRun): Promise<InferenceNetwork> {
  const path = join(folderOf(run, baseline), runFiles.weights);
  return inferenceNetwork(baseline.config, await readTensors(path), `baselines/${baseline.name}/${runFiles.weights}`);
}

/** Where the weights of a baseline lie. */
export const baselineWeights = (run: TrainedRun, name: string): string =>
  join(folderOf(run, { name }), runFiles.weights);
