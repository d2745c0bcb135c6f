import type { Dataset } from "../../data/datasets/dataset.js";
import type { Graph } from "../../engine/graph/graph.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { type Deployable, deploymentGraph } from "../../inference/deployable.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import { DeployedModel } from "../model/deployedModel.js";
import { classList, type ExpectedCertain, type ModelInfo, modelBytes, producer } from "../model/modelInfo.js";
import type { ChosenGamma } from "./chosenGamma.js";
import { expectedCertain } from "./expected.js";
import { compareWith, type Parity, requireParity } from "./parity.js";
import { parityImages } from "./parityImages.js";

export interface ExportRequest {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  /** The labelled source, whose images the model is held to. */
  readonly source: Dataset;
  /** Unlabelled images of the place the run was made for; null where they are not at hand. */
  readonly target: Dataset | null;
  readonly gamma: ChosenGamma;
  /** Whether the model also gives the distribution of Eq. 4. */
  readonly probabilities?: boolean;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** A model that has shown to answer as the run does. */
export interface ExportedModel {
  readonly graph: Graph;
  readonly info: ModelInfo;
  readonly bytes: Uint8Array;
  readonly parity: Parity;
}

/** Make the deployed model of a run and hold it to the trained network, at several sizes. Nothing is written. */
export async function exportRun(request: ExportRequest): Promise<ExportedModel> {
  const { runtime, deployable, source, target, gamma, probabilities = false, onProgress } = request;
  const draft = { ...draftInfo(deployable, source, gamma), probabilities };
  const graph = await deploymentGraph(runtime, deployable, draft);
  const model = await DeployedModel.open(runtime, modelBytes(graph, draft), "the exported model");
  try {
    const images = await parityImages(source, draft.height);
    const parity = await compareWith(model, runtime, deployable, images);
    requireParity(parity, deployable.run.folder);
    const telling = (done: number, total: number): void => onProgress?.("predicting", done, total);
    const expected = await expectedShares(gamma, target, (images) => expectedCertain(model, images, telling));
    const info = { ...draft, expectedCertain: expected };
    return { graph, info, bytes: modelBytes(graph, info), parity };
  } finally {
    await model.close();
  }
}

/** Measured on images where they are at hand and γ is that of training; else as it was where γ was solved. */
async function expectedShares(
  { from, certain }: ChosenGamma,
  target: Dataset | null,
  measure: (images: Dataset) => Promise<ExpectedCertain>,
): Promise<ExpectedCertain> {
  return from === "training" && target !== null ? measure(target) : certain;
}

/** All that is known of a model before it has looked at images. */
export function draftInfo(
  { run, config, unseen }: Deployable,
  source: Dataset,
  { gamma, from, certain }: ChosenGamma,
): ModelInfo {
  const { options, view } = config;
  return {
    producer: producer(),
    precision: "float32",
    classes: classList(source),
    score: options.score,
    temperature: options.temperature,
    gamma,
    gammaFrom: from,
    probabilities: false,
    expectedCertain: certain,
    height: view.height,
    unseen: [...unseen],
    weights: fingerprintOf(run.weights),
    training: { ...config },
  };
}
