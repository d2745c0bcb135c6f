import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Dataset } from "../../data/datasets/dataset.js";
import { UserError } from "../../errors.js";
import { mergeSettings, resolveConfig } from "../../lab/train/config.js";
import { openSound } from "../../lab/train/soundData.js";
import { train } from "../../lab/train/train.js";
import { commandLine } from "./commandLine.js";
import { duration, type Screen, screenOn, TrainStatus } from "./trainStatus.js";
import { wholeNumber } from "./wholeNumber.js";

export interface TrainOptions {
  readonly to: string;
  readonly config?: string;
  readonly source?: string;
  readonly validate?: string;
  readonly weights?: string;
  readonly steps?: string;
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
  readonly cache: string;
}

/** Exit codes of a run that was asked to stop: 128 + the signal's number, as shells expect. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

export async function trainCommand(options: TrainOptions): Promise<void> {
  const config = resolveConfig(
    mergeSettings(await readSettings(options.config), fromOptions(options)),
    options.config ?? "train",
  );
  if (options.printConfig) {
    console.log(JSON.stringify(config, null, 2));
    return;
  }
  const screen = screenOn(options.json ? process.stderr : process.stdout);
  const source = await openShown(config.source, options.cache, screen);
  const validation = options.validate === undefined ? null : await openShown(options.validate, options.cache, screen);
  const status = new TrainStatus(screen, config.method, config.batch);
  const received = rememberSignal();
  const started = performance.now();
  const request = {
    folder: options.to,
    config,
    source,
    validation,
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
    if (options.json) console.log(JSON.stringify(event));
    else status.show(event);
  });
  const took = duration((performance.now() - started) / 1000);
  if (ending === "finished") screen.line(`finished ${config.steps} steps in ${options.to} (${took})`);
  else {
    screen.line(`saved and stopped after ${took}; the same command goes on from here`);
    process.exitCode = INTERRUPTED[received() ?? "SIGINT"];
  }
}

/** Open a data set, look at all of it, and say what was found. */
async function openShown(spec: string, cache: string, screen: Screen): Promise<Dataset> {
  const { dataset, check } = await openSound(spec, {
    cache,
    onProgress: (done, total) => screen.passing(`looking at ${spec}: ${done}/${total}`),
  });
  const warnings = check.problems.length;
  const remark =
    warnings === 0
      ? ""
      : `, ${warnings} ${warnings === 1 ? "warning" : "warnings"} (gssl inspect '${spec}' shows them)`;
  screen.line(`${dataset.spec}: ${check.pictures} pictures${remark}`);
  return dataset;
}

async function readSettings(path: string | undefined): Promise<object> {
  if (path === undefined) return {};
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UserError(`cannot read ${path}`, { hint: "is the path right?", cause });
  });
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings;
    throw new Error("not an object");
  } catch (cause) {
    throw new UserError(`${path}: ${cause instanceof Error ? cause.message : cause}`, {
      hint: "a config is a JSON object; gssl train --print-config writes one",
      cause,
    });
  }
}

/** Only what was typed; the rest is for the config file and the defaults. */
function fromOptions(options: TrainOptions): object {
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  return {
    source: options.source,
    weights: options.weights,
    steps: number(options.steps),
    batch: number(options.batch),
    learningRate: number(options.learningRate),
    encoderFactor: number(options.encoderFactor),
    clipNorm: number(options.clipNorm),
    seed: number(options.seed),
    network: {
      width: number(options.width),
      features: number(options.features),
      outputStride: number(options.outputStride),
    },
    view: { height: number(options.height), crop: options.crop?.split("x").map(Number) },
  };
}

/** Which signal asked us to stop, if any. */
function rememberSignal(): () => keyof typeof INTERRUPTED | undefined {
  let first: keyof typeof INTERRUPTED | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => (first ??= signal));
  return () => first;
}
