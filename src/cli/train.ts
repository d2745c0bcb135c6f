import { availableParallelism } from "node:os";
import type { CheckedDataset } from "../data/datasets/openChecked.js";
import { unlabelled } from "../data/datasets/spec.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { printJson } from "../platform/print.js";
import { type GammaConfig, mergeSettings, readSettings, resolveConfig, type TrainConfig } from "../runs/config.js";
import { departures } from "../runs/departures.js";
import { type Ending, train } from "../training/train.js";
import { openValidated, refuseChanges, refuseLeaks, unseenClasses } from "../training/validatedData.js";
import { commandLine } from "./commandLine.js";
import { duration, type Screen, screenOn, TrainStatus } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

export interface TrainOptions {
  readonly to: string;
  readonly config?: string;
  readonly method?: string;
  readonly profile?: string;
  readonly ablation?: string;
  readonly source?: string;
  readonly target?: readonly string[];
  readonly validate?: string;
  readonly weights?: string;
  readonly steps?: string;
  readonly pretraining?: string;
  readonly batch?: string;
  readonly crop?: string;
  readonly height?: string;
  readonly learningRate?: string;
  readonly encoderFactor?: string;
  readonly clipNorm?: string;
  readonly width?: string;
  readonly features?: string;
  readonly outputStride?: string;
  readonly seed?: string;
  readonly threads?: string;
  readonly workers: string;
  readonly checkpointEvery: string;
  readonly validateEvery: string;
  readonly fresh?: true;
  readonly printConfig?: true;
  readonly json?: true;
  readonly cache?: string;
}

/** Exit codes of a run that was asked to stop: 128 + the signal's number, as shells expect. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

export async function trainCommand(options: TrainOptions): Promise<void> {
  const settings = options.config === undefined ? {} : await readSettings(options.config);
  const method = options.method ?? settings.method;
  const config = resolveConfig(mergeSettings(settings, fromOptions(options, method)), options.config ?? "train");
  if (options.printConfig) {
    printJson(config, 2);
    return;
  }
  await trainAs(config, options);
}

/** Train as a config says, showing how it goes. */
export async function trainAs(
  config: TrainConfig,
  options: Pick<
    TrainOptions,
    "to" | "validate" | "threads" | "workers" | "checkpointEvery" | "validateEvery" | "fresh" | "json" | "cache"
  >,
): Promise<Ending> {
  const screen = screenOn(options.json ? process.stderr : process.stdout);
  const open = (spec: string): Promise<CheckedDataset> => openShown(spec, options.cache ?? cacheFolder(), screen);
  if (config.method === "gamma-ssl") for (const line of introduction(config)) screen.line(line);
  const source = await open(config.source);
  const unseen = unseenClasses(source);
  if (unseen !== null) screen.line(`warning: ${unseen}`);
  const targets = config.method === "supervised" ? [] : await oneByOne(config.targets.map(unlabelled), open);
  const validation = options.validate === undefined ? null : await open(options.validate);
  if (validation !== null) for (const one of [source, ...targets]) await refuseLeaks(one, validation);
  for (const one of [source, ...targets, ...(validation === null ? [] : [validation])]) await refuseChanges(one);
  const status = new TrainStatus(screen);
  const signals = rememberSignals();
  const started = performance.now();
  const request = {
    folder: options.to,
    config,
    data: { source: source.dataset, targets: targets.map(({ dataset }) => dataset) },
    validation: validation?.dataset ?? null,
    pace: {
      threads: wholeNumber("threads", options.threads ?? String(availableParallelism()), [1, 256]),
      workers: wholeNumber("workers", options.workers, [0, 64]),
      checkpointEvery: wholeNumber("checkpoint-every", options.checkpointEvery, [1, 1_000_000]),
      validateEvery: wholeNumber("validate-every", options.validateEvery, [1, 1_000_000]),
    },
    fresh: options.fresh === true,
    command: commandLine(),
  };
  const ending = await train(request, (event) => {
    if (options.json) printJson(event);
    else status.show(event);
  }).finally(signals.forget);
  const took = duration((performance.now() - started) / 1000);
  if (ending === "finished") screen.line(`finished; weights are in ${options.to} (${took})`);
  else {
    screen.line(`saved and stopped after ${took}; the same command goes on from here`);
    process.exitCode = INTERRUPTED[signals.first() ?? "SIGINT"];
  }
  return ending;
}

/** Which variant of the method this is, before anything else is said. */
function introduction(config: GammaConfig): string[] {
  const changed = departures(config);
  const named = `γ-SSL, profile ${config.profile}${config.ablation === null ? "" : `, ablation ${config.ablation}`}`;
  if (changed.length === 0) return [`${named}: every setting as in the paper`];
  return [`${named}; it departs from the paper (its value in brackets) in`, ...changed.map((line) => `  ${line}`)];
}

/** Open a data set, look at all of it, and say what was found. */
async function openShown(spec: string, cache: string, screen: Screen): Promise<CheckedDataset> {
  const sound = await openValidated(spec, {
    cache,
    onProgress: (what, done, total) => screen.passing(`${what} ${spec}: ${done}/${total}`),
  });
  const { images, problems } = sound.check;
  const count = problems.length === 1 ? "1 warning" : `${problems.length} warnings`;
  const remark = problems.length === 0 ? "" : `, ${count} (gssl inspect '${spec}' shows them)`;
  screen.line(`${sound.dataset.spec}: ${images} images${remark}`);
  return sound;
}

/** In turn: opening may draw and check thousands of images on every core. */
async function oneByOne<T>(specs: readonly string[], open: (spec: string) => Promise<T>): Promise<T[]> {
  const opened: T[] = [];
  for (const spec of specs) opened.push(await open(spec));
  return opened;
}

/** Only what was typed; the rest is for the config file and the defaults. */
function fromOptions(options: TrainOptions, method: unknown): object {
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  const network = {
    width: number(options.width),
    features: number(options.features),
    outputStride: number(options.outputStride),
  };
  const common = {
    method: options.method,
    source: options.source,
    weights: options.weights,
    seed: number(options.seed),
    view: { height: number(options.height), crop: options.crop?.split("x").map(Number) },
  };
  const [steps, batch, learningRate] = [options.steps, options.batch, options.learningRate].map(number);
  const pretraining = number(options.pretraining);
  if (method !== "gamma-ssl") {
    const [encoderFactor, clipNorm] = [options.encoderFactor, options.clipNorm].map(number);
    return { ...common, network, steps, batch, learningRate, encoderFactor, clipNorm };
  }
  return {
    ...common,
    targets: options.target,
    profile: options.profile,
    ablation: options.ablation,
    options: {
      network,
      batch: { source: batch, prototype: batch, target: batch },
      training: { pretraining, adaptation: steps, learningRate },
    },
  };
}

type Signal = keyof typeof INTERRUPTED;

/** Which signal asked us to stop, if any. Until they are forgotten, signals do not end the process. */
function rememberSignals(): { first: () => Signal | undefined; forget: () => void } {
  let first: Signal | undefined;
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => [signal, () => (first ??= signal)] as const);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    first: () => first,
    forget: () => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
