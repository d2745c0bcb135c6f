import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../../data/datasets/dataset.js";
import { type Loader, openLoader } from "../../data/loader/openLoader.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { HostTensor, Tensors } from "../../engine/tensor/hostTensor.js";
import { writeSafetensors } from "../../engine/tensor/safetensors.js";
import { UserError } from "../../errors.js";
import { shareOfRate } from "../../networks/optim/schedule.js";
import { NonFiniteStep, Stepper } from "../../networks/optim/stepper.js";
import { describeMatch } from "../../networks/weights/describeMatch.js";
import { loadWeights } from "../../networks/weights/matchWeights.js";
import { readWeights } from "../../networks/weights/readWeights.js";
import { writeWhole } from "../../wholeFile.js";
import { type Checkpoint, Checkpoints } from "./checkpoints.js";
import type { TrainConfig } from "./config.js";
import { writeBundle } from "./nonFinite.js";
import { TensorBoard } from "./tensorBoard.js";
import type { TrainEvent } from "./trainEvents.js";
import { classesOf, streamsOf, supervised, type Training } from "./training.js";
import { TrainLog } from "./trainLog.js";
import { validate } from "./validate.js";

/** Settings that change how a run goes about its work, never what comes out. */
export interface Pace {
  readonly threads: number;
  /** Threads that prepare batches. */
  readonly workers: number;
  readonly checkpointEvery: number;
  readonly validateEvery: number;
}

/** Everything a training process needs to know: plain data. */
export interface TrainJob {
  readonly folder: string;
  readonly config: TrainConfig;
  /** Hash of the config and of the data it was resolved with. */
  readonly run: string;
  readonly source: Dataset;
  readonly validation: Dataset | null;
  readonly pace: Pace;
}

export interface TrainHooks {
  readonly emit: (event: TrainEvent) => void;
  /** Looked at between steps. */
  readonly stopRequested: () => boolean;
}

export const WEIGHTS_FILE = "weights.safetensors";

/** Train until the last step or until asked to stop. Going on where an earlier process left off is the normal case. */
export async function trainLoop(job: TrainJob, hooks: TrainHooks): Promise<void> {
  const { config, folder } = job;
  const { emit } = hooks;
  const checkpoints = await Checkpoints.open(join(folder, "checkpoints"), job.run);
  const checkpoint = await checkpoints.newest((message) => emit({ kind: "note", message }));
  emit({ kind: "started", done: checkpoint?.step ?? 0, steps: config.steps });
  const weights = join(folder, WEIGHTS_FILE);
  if (checkpoint?.step === config.steps && existsSync(weights)) {
    emit({ kind: "finished", step: config.steps, weights });
    return;
  }
  const run = await Run.open(job, checkpoints, checkpoint, emit);
  try {
    while (run.done < config.steps) {
      if (hooks.stopRequested()) {
        await run.save();
        emit({ kind: "stopped", step: run.done });
        return;
      }
      await run.step();
    }
    await writeWhole(weights, writeSafetensors(run.weights), { durable: true });
    emit({ kind: "finished", step: run.done, weights });
  } finally {
    await run.close();
  }
}

/** A training under way, with everything it holds open. */
class Run {
  readonly #job: TrainJob;
  readonly #emit: TrainHooks["emit"];
  readonly #runtime: Runtime;
  readonly #training: Training;
  readonly #stepper: Stepper;
  readonly #loader: Loader;
  readonly #checkpoints: Checkpoints;
  readonly #log: TrainLog;
  readonly #board: TensorBoard;
  readonly #started = performance.now();
  #saved: number;

  private constructor(parts: {
    job: TrainJob;
    emit: TrainHooks["emit"];
    runtime: Runtime;
    training: Training;
    stepper: Stepper;
    loader: Loader;
    checkpoints: Checkpoints;
    log: TrainLog;
    board: TensorBoard;
  }) {
    this.#job = parts.job;
    this.#emit = parts.emit;
    this.#runtime = parts.runtime;
    this.#training = parts.training;
    this.#stepper = parts.stepper;
    this.#loader = parts.loader;
    this.#checkpoints = parts.checkpoints;
    this.#log = parts.log;
    this.#board = parts.board;
    this.#saved = parts.stepper.done;
  }

  static async open(
    job: TrainJob,
    checkpoints: Checkpoints,
    checkpoint: Checkpoint | null,
    emit: TrainHooks["emit"],
  ): Promise<Run> {
    const { folder, config, pace } = job;
    const runtime = nodeRuntime({ threads: pace.threads });
    const training = supervised(config, classesOf(job.source));
    const done = checkpoint?.step ?? 0;
    const state = checkpoint?.state ?? (await firstWeights(training, config, emit));
    return new Run({
      job,
      emit,
      runtime,
      training,
      checkpoints,
      stepper: await Stepper.open(runtime, training.step, { seed: config.seed, state, done }),
      loader: openLoader(
        { seed: config.seed, streams: streamsOf(config, job), noises: training.noises },
        { workers: pace.workers },
      ),
      log: await TrainLog.open(join(folder, "log.jsonl"), done),
      board: await TensorBoard.open(join(folder, "tensorboard"), done),
    });
  }

  get done(): number {
    return this.#stepper.done;
  }

  /** The network alone, without what only its training needs. */
  get weights(): Tensors {
    const { state } = this.#stepper;
    return Object.fromEntries(this.#training.params.map(({ path }) => [path, state[path]!]));
  }

  /** One step, and what is due after it. */
  async step(): Promise<void> {
    const { config, pace } = this.#job;
    const step = this.done + 1;
    const learningRate = config.learningRate * shareOfRate(step, config.steps, config.schedule);
    const measures = { ...(await this.#compute(step, learningRate)), learningRate };
    await this.#log.write({ step, ...measures });
    await this.#board.write(step, measures);
    const seconds = (performance.now() - this.#started) / 1000;
    this.#emit({ kind: "step", step, measures, seconds, waited: this.#loader.waitedMs / 1000 });
    const last = step === config.steps;
    if (this.#job.validation !== null && (last || step % pace.validateEvery === 0)) await this.#validate();
    if (last || step % pace.checkpointEvery === 0) await this.save();
  }

  /** Once this returns, nothing up to here can be lost. */
  async save(): Promise<void> {
    if (this.#saved === this.done) return;
    await this.#log.sync();
    await this.#checkpoints.save({ step: this.done, state: this.#stepper.state });
    this.#saved = this.done;
    this.#emit({ kind: "saved", step: this.done });
  }

  async close(): Promise<void> {
    await Promise.all([this.#stepper.close(), this.#loader.close(), this.#log.close(), this.#board.close()]);
  }

  async #compute(step: number, learningRate: number): Promise<Record<string, number>> {
    const batch = await this.#loader.batch(step);
    try {
      return scalars(await this.#stepper.run(batch, learningRate));
    } catch (error) {
      if (!(error instanceof NonFiniteStep)) throw error;
      const folder = join(this.#job.folder, `non-finite-step-${step}`);
      const { config, source } = this.#job;
      const bundle = { config, classes: classesOf(source), feeds: error.feeds };
      const cause = await writeBundle(folder, bundle, { step: this.#training.step, runtime: this.#runtime });
      throw new UserError(
        `${error.message}\n${cause}\nnothing of this step was kept; what it was given lies in ${folder}`,
        {
          hint: `look closer with "gssl replay ${folder}"; a lower learning rate or --clip-norm may help`,
        },
      );
    }
  }

  async #validate(): Promise<void> {
    const { config, validation } = this.#job;
    const quality = await validate(this.#runtime, config, this.weights, validation!);
    await this.#log.write({
      step: this.done,
      "validation.accuracy": quality.accuracy,
      "validation.meanIou": quality.meanIou,
    });
    await this.#board.write(this.done, {
      "validation/accuracy": quality.accuracy,
      "validation/meanIou": quality.meanIou,
    });
    this.#emit({ kind: "validated", step: this.done, ...quality });
  }
}

/** Measurements of one number each. */
function scalars(measured: Readonly<Record<string, HostTensor>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(measured)
      .filter(([, { data }]) => data.length === 1)
      .map(([name, { data }]) => [name, Number(data[0])]),
  );
}

/** Pre-trained weights where a file was named; the rest is drawn from the seed. */
async function firstWeights(
  training: Training,
  { weights: path }: TrainConfig,
  emit: TrainHooks["emit"],
): Promise<Tensors> {
  if (path === null) return {};
  const { tensors, report } = loadWeights(training.params, await readWeights(await readFile(path), path), path);
  emit({ kind: "note", message: describeMatch(report).join("\n") });
  return tensors;
}
