import type { Dataset } from "../data/datasets/dataset.js";
import type { TrainConfig } from "../runs/config.js";
import type { TrainingData } from "./stage.js";
import type { TrainEvent } from "./trainEvents.js";

/** Settings that change how a run goes about its work, not what comes out. */
export interface Pace {
  readonly threads: number;
  /** Where to compute, tried beforehand; "cpu" when left out. It rounds in its own way. */
  readonly device?: string | undefined;
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
  readonly data: TrainingData;
  readonly validation: Dataset | null;
  readonly pace: Pace;
}

export interface TrainHooks {
  readonly emit: (event: TrainEvent) => void;
  /** Looked at between steps. */
  readonly stopRequested: () => boolean;
}
