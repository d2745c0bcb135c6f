import { dirname, join } from "node:path";
import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { openLoader } from "../data/loader/openLoader.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { NonFiniteStep } from "../networks/optim/stepper.js";
import { describeMatch } from "../networks/weights/describeMatch.js";
import { loadWeights } from "../networks/weights/matchWeights.js";
import { readWeights } from "../networks/weights/readWeights.js";
import { UserError } from "../platform/errors.js";
import { makeFolder, readRegularFile } from "../platform/files.js";
import type { Checkpoint, Checkpoints } from "../runs/checkpoints.js";
import { beginsElsewhere, type TrainConfig } from "../runs/config.js";
import { type InferenceNetwork, inferenceNetwork } from "../runs/inferenceNetwork.js";
import { runFiles, startFile } from "../runs/runFiles.js";
import { writeSample } from "../runs/samples.js";
import { writeSealedTensors } from "../runs/sealedTensors.js";
import { TrainLog } from "../runs/trainLog.js";
import { writeBundle } from "./nonFinite.js";
import { boardImages, samplePredictions, sampleSheet } from "./samplePredictions.js";
import { placeAfter, type Stage, StageRun, type StepReport, stepsOf, type Training } from "./stage.js";
import { isExtension } from "./stages.js";
import { TensorBoard } from "./tensorBoard.js";
import type { TrainHooks, TrainJob } from "./trainJob.js";
import { validate } from "./validate.js";

interface TrainerFiles {
  readonly checkpoints: Checkpoints;
  readonly log: TrainLog;
  readonly board: TensorBoard;
}

/** A training under way, with everything it holds open. */
export class Trainer {
  readonly #job: TrainJob;
  readonly #stages: readonly Stage[];
  readonly #emit: TrainHooks["emit"];
  readonly #runtime: Runtime;
  readonly #files: TrainerFiles;
  readonly #started = performance.now();
  #stage: StageRun;
  /** Of stages that are over. */
  #waitedMs = 0;
  #saved: number;

  private constructor(
    job: TrainJob,
    stages: readonly Stage[],
    emit: TrainHooks["emit"],
    open: { runtime: Runtime; files: TrainerFiles; stage: StageRun },
  ) {
    this.#job = job;
    this.#stages = stages;
    this.#emit = emit;
    this.#runtime = open.runtime;
    this.#files = open.files;
    this.#stage = open.stage;
    this.#saved = open.stage.done;
  }

  static async open(
    job: TrainJob,
    stages: readonly Stage[],
    checkpoints: Checkpoints,
    checkpoint: Checkpoint | null,
    emit: TrainHooks["emit"],
  ): Promise<Trainer> {
    const { folder, config } = job;
    const runtime = nodeRuntime(job.pace);
    const done = checkpoint?.step ?? 0;
    const state = async (training: Training): Promise<Tensors> =>
      checkpoint?.state ?? firstWeights(training, config, emit);
    const stage = await openStage(job, { stages, done, runtime }, state);
    // Baselines and NoSSL are measured with it, when its file may be gone.
    if (done === 0 && beginsElsewhere(config)) await writeStage(join(folder, startFile), await stage.weights());
    const log = await TrainLog.open(join(folder, runFiles.log), done);
    const board = await TensorBoard.open(join(folder, runFiles.tensorBoard), done);
    return new Trainer(job, stages, emit, { runtime, files: { checkpoints, log, board }, stage });
  }

  get done(): number {
    return this.#stage.done;
  }

  /** Steps that are safe on disk. */
  get saved(): number {
    return this.#saved;
  }

  weights(): Promise<Tensors> {
    return this.#stage.weights();
  }

  async #network(): Promise<InferenceNetwork> {
    return inferenceNetwork(this.#job.config, await this.weights(), "the network in training");
  }

  async run(stopRequested: () => boolean): Promise<"finished" | "stopped"> {
    const steps = stepsOf(this.#stages);
    while (this.done < steps) {
      if (stopRequested()) {
        await this.#save();
        return "stopped";
      }
      if (this.#stage.over) await this.#nextStage();
      await this.#step(steps);
    }
    await this.#save();
    return "finished";
  }

  async close(): Promise<void> {
    await Promise.all([this.#stage.close(), this.#files.log.close(), this.#files.board.close()]);
  }

  /** One step, and what is due after it. */
  async #step(steps: number): Promise<void> {
    const { pace, validation } = this.#job;
    const { scalars: measures, lists, remark } = await this.#compute();
    const step = this.done;
    await this.#files.log.write({ step, ...measures, ...lists });
    await this.#files.board.write(step, measures);
    if (remark !== null) this.#emit({ kind: "note", message: `step ${step}: ${remark}` });
    const seconds = (performance.now() - this.#started) / 1000;
    const waited = (this.#waitedMs + this.#stage.waitedMs) / 1000;
    this.#emit({ kind: "step", step, measures, images: this.#stage.images, seconds, waited });
    const due = (every: number): boolean => step === steps || this.#stage.over || step % every === 0;
    if (validation !== null && due(pace.validateEvery)) await this.#validate(validation);
    if (step === steps || step % pace.validateEvery === 0) await this.#showImages(measures.gamma);
    // Before the checkpoint: a training that resumes from it needs the end of the stage.
    if (this.#stage.over) await this.#keepEnd(steps);
    if (due(pace.checkpointEvery)) await this.#save();
  }

  /** The weights a stage ends with are kept, for other methods begin with them. Those of the last one are the training's own. */
  async #keepEnd(steps: number): Promise<void> {
    const { stage } = this.#stage;
    const index = this.#stages.indexOf(stage);
    if (this.done === steps || isExtension(this.#stages[index + 1]!)) return;
    const name = `${index + 1}-${stage.name}.safetensors`;
    await writeStage(join(this.#job.folder, runFiles.stages, name), await this.weights());
  }

  async #compute(): Promise<StepReport> {
    try {
      return await this.#stage.step();
    } catch (error) {
      if (!(error instanceof NonFiniteStep)) throw error;
      const { config, data } = this.#job;
      const folder = join(this.#job.folder, `non-finite-step-${this.done + 1}`);
      const stage = this.#stages.indexOf(this.#stage.stage);
      const bundle = { config, stage, classes: classesOf(data.source), feeds: error.feeds };
      const cause = await writeBundle(folder, bundle, { step: this.#stage.training.step, runtime: this.#runtime });
      throw new UserError(
        `${error.message}\n${cause}\nnothing of this step was kept; what it was given lies in ${folder}`,
        { hint: `look closer with "gssl replay ${folder}"; a lower learning rate or --clip-norm may help` },
      );
    }
  }

  /** Once this returns, nothing up to here can be lost. */
  async #save(): Promise<void> {
    if (this.#saved === this.done) return;
    await this.#files.log.sync();
    await this.#files.checkpoints.save({ step: this.done, state: await this.#stage.state() });
    this.#saved = this.done;
    this.#emit({ kind: "saved", step: this.done });
  }

  async #showImages(gamma: number | undefined): Promise<void> {
    this.#emit({ kind: "busy", what: "drawing sample predictions" });
    const samples = await samplePredictions(this.#runtime, await this.#network(), { data: this.#job.data, gamma });
    await this.#files.board.writeImages(this.done, await boardImages(samples));
    await writeSample(this.#job.folder, this.done, await sampleSheet(samples));
  }

  async #validate(validation: Dataset): Promise<void> {
    this.#emit({ kind: "busy", what: "validating" });
    const { source } = this.#job.data;
    const validations = await validate(this.#runtime, await this.#network(), { dataset: validation, source });
    const measures = Object.entries(validations).flatMap(([branch, { accuracy, meanIou, auroc }]) =>
      Object.entries({ accuracy, meanIou, ...(auroc !== null && { auroc }) }).map(
        ([name, value]) => [`validation.${branch}.${name}`, value] as const,
      ),
    );
    await this.#files.log.write({ step: this.done, ...Object.fromEntries(measures) });
    await this.#files.board.write(this.done, Object.fromEntries(measures));
    this.#emit({ kind: "validated", step: this.done, validations });
  }

  async #nextStage(): Promise<void> {
    const [old, stages, runtime] = [this.#stage, this.#stages, this.#runtime];
    this.#emit({ kind: "busy", what: `preparing ${stages[placeAfter(old.done, stages).index]!.name}` });
    const state = await old.state();
    await old.close();
    this.#waitedMs += old.waitedMs;
    this.#stage = await openStage(this.#job, { stages, done: old.done, runtime }, async () => state);
  }
}

async function writeStage(path: string, weights: Tensors): Promise<void> {
  await makeFolder(dirname(path));
  await writeSealedTensors(path, weights);
}

/** Pre-trained weights where a file was named; the rest is drawn from the seed. */
async function firstWeights(
  { params }: Training,
  { weights: path }: TrainConfig,
  emit: TrainHooks["emit"],
): Promise<Tensors> {
  if (path === null) return {};
  const { tensors, report } = loadWeights(params, await readWeights(await readRegularFile(path), path), path);
  emit({ kind: "note", message: describeMatch(report).join("\n") });
  return tensors;
}

/** The stage of the step after `done`, with a loader of its own. `state` is what the step before left. */
export function openStage(
  { folder, config, data, pace }: Pick<TrainJob, "folder" | "config" | "data" | "pace">,
  { stages, done, runtime }: { stages: readonly Stage[]; done: number; runtime: Runtime },
  state: (training: Training) => Promise<Tensors>,
): Promise<StageRun> {
  const place = placeAfter(done, stages);
  return StageRun.open(stages[place.index]!, {
    ...{ folder, runtime, data, seed: config.seed, place, state },
    open: (plan) => openLoader(plan, { workers: pace.workers }),
  });
}
