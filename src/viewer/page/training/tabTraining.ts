import { classesOf } from "../../../data/datasets/classesOf.js";
import type { Dataset } from "../../../data/datasets/dataset.js";
import { evenlySpread } from "../../../data/datasets/evenlySpread.js";
import type { ClassList } from "../../../data/labels/labelSpace.js";
import { batchFeeds } from "../../../data/loader/batchFeeds.js";
import type { ScaledImage } from "../../../data/loader/imageCache.js";
import type { Runtime } from "../../../engine/runtime/runtime.js";
import type { Tensors } from "../../../engine/tensor/hostTensor.js";
import { DECODER_STRIDE } from "../../../networks/models/deeplab.js";
import type { GammaConfig } from "../../../runs/config.js";
import { gammaStages } from "../../../training/gammaStages.js";
import {
  placeAfter,
  type Stage,
  StageRun,
  type StepReport,
  stepsOf,
  type TrainingData,
} from "../../../training/stage.js";
import { CurrentModel, type Snapshot } from "./currentModel.js";
import { DrawnImages, drawnDataset } from "./drawnImages.js";

/** A training and what to measure it on. */
export interface TabPlan {
  readonly config: GammaConfig;
  /** Labelled images of the target: a spec of drawn scenes. */
  readonly test: string;
}

/** Images of the source that prototypes are made of, and pairs of target views that γ is solved on. An export takes all. */
const [PROTOTYPE_IMAGES, PAIRS] = [16, 8];

/**
 * A training of γ-SSL over drawn images on any runtime: the stages, batches and steps of `gssl train`, to the number. Only the images are drawn
 * here instead of being read from files.
 */
export class TabTraining {
  readonly #runtime: Runtime;
  readonly #plan: TabPlan;
  readonly #weights: Tensors;
  readonly #stages: readonly Stage[];
  readonly #data: TrainingData;
  readonly #images = new DrawnImages();
  readonly test: readonly ScaledImage[];
  #stage: StageRun | null = null;
  #model: CurrentModel | null = null;

  /** `weights` are what it begins with, by the names of the network's parameters. */
  constructor(runtime: Runtime, plan: TabPlan, weights: Tensors) {
    const { config, test } = plan;
    this.#runtime = runtime;
    this.#plan = plan;
    this.#weights = weights;
    this.#stages = gammaStages(config);
    this.#data = { source: drawnDataset(config.source), targets: config.targets.map(drawnDataset) };
    this.test = this.#all(drawnDataset(test));
  }

  get classes(): ClassList["classes"] {
    return this.#data.source.labelling!.classes.classes;
  }

  get steps(): number {
    return stepsOf(this.#stages);
  }

  get done(): number {
    return this.#stage?.done ?? 0;
  }

  /** Compile the step of the stage that comes next, if that has not been done. */
  async prepare(): Promise<void> {
    if (this.#stage !== null && !this.#stage.over) return;
    const state = this.#stage === null ? this.#weights : await this.#stage.state();
    const place = placeAfter(this.done, this.#stages);
    await this.#stage?.close();
    this.#stage = await StageRun.open(this.#stages[place.index]!, {
      folder: "",
      runtime: this.#runtime,
      data: this.#data,
      seed: this.#plan.config.seed,
      open: (plan) => this.#images.batches(plan),
      place,
      state: async () => state,
    });
  }

  async step(): Promise<StepReport> {
    await this.prepare();
    return this.#stage!.step();
  }

  /** What the network has learned so far. */
  async measure(): Promise<Snapshot> {
    this.#model ??= await this.#openModel();
    return this.#model.measure(this.#stage === null ? this.#weights : await this.#stage.weights());
  }

  /** Go back to before the first step. */
  async restart(): Promise<void> {
    await this.#stage?.close();
    this.#stage = null;
  }

  async close(): Promise<void> {
    await this.restart();
    await this.#model?.close();
  }

  async #openModel(): Promise<CurrentModel> {
    const { config } = this.#plan;
    const { source, targets } = this.#data;
    const target = { kind: "pair", name: "target", dataset: targets[0]!, view: config.view } as const;
    const stream = { ...target, size: PAIRS, scoreStride: DECODER_STRIDE };
    const plan = { seed: config.seed, streams: [stream], noises: [] };
    const feeds = await batchFeeds(plan, 0, async ({ dataset }, index) => this.#images.read(dataset, index));
    return CurrentModel.open(this.#runtime, config, classesOf(source), {
      source: evenlySpread([...source.items.keys()], PROTOTYPE_IMAGES).map((i) => this.#images.read(source, i)),
      pairs: { feeds, count: PAIRS },
      test: this.test,
    });
  }

  #all(dataset: Dataset): ScaledImage[] {
    return dataset.items.map((_, index) => this.#images.read(dataset, index));
  }
}
