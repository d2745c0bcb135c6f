import type { Dataset } from "../../data/datasets/dataset.js";
import { constant } from "../../engine/graph/value.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { type Deployable, deploymentGraph } from "../../inference/deployable.js";
import { gammaSsl, prototypeMethod } from "../../methods/gamma-ssl/prototypeMethod.js";
import { storedPrototypes } from "../../methods/gamma-ssl/prototypes.js";
import { similarities } from "../../methods/gamma-ssl/segmentation.js";
import { inferencePass } from "../../networks/layers/pass.js";
import { fingerprintOf } from "../../runs/fingerprint.js";
import { finalNetwork } from "../../runs/inferenceNetwork.js";
import { DeployedModel } from "../model/deployedModel.js";
import { modelBytes } from "../model/modelBytes.js";
import { classList, type ExpectedCertain, type ModelInfo, producer } from "../model/modelInfo.js";
import { type BuiltModel, buildModel } from "./buildModel.js";
import type { ChosenGamma } from "./chosenGamma.js";
import { comparePlaces } from "./comparePlaces.js";
import { lead } from "./disagreement.js";
import { expectedCertain } from "./expected.js";
import type { Reference } from "./parity.js";
import { roundingSizes, TOLERANCE } from "./rounding.js";

export interface ExportRequest {
  readonly runtime: Runtime;
  /** Another device that must give the same. */
  readonly device?: Runtime | null;
  readonly deployable: Deployable;
  /** The labelled source, on whose images the model is compared. */
  readonly source: Dataset;
  /** Unlabelled images of the place the run was made for; null where they are not at hand. */
  readonly target: Dataset | null;
  readonly gamma: ChosenGamma;
  /** Whether the model also gives the distribution of Eq. 4. */
  readonly probabilities?: boolean;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** The deployed model of a run, compared with the trained network. Nothing is written. */
export async function exportRun(request: ExportRequest): Promise<BuiltModel<ModelInfo>> {
  const { runtime, device = null, deployable, source, target, gamma, probabilities = false, onProgress } = request;
  const { places, distanceFrom } = await comparePlaces(request);
  const draft = { ...draftInfo(deployable, source, gamma), probabilities, distanceFrom };
  const graph = await deploymentGraph(runtime, deployable, { ...draft, places });
  const parts = {
    graph,
    info: draft,
    reference: gammaReference(deployable, gamma.gamma),
    name: deployable.run.folder,
  };
  const built = await buildModel({ runtime, device }, parts, source);
  const model = await DeployedModel.open(runtime, built.bytes, "the exported model");
  try {
    const telling = (done: number, total: number): void => onProgress?.("predicting", done, total);
    const expected = await expectedShares(gamma, target, (images) => expectedCertain(model, images, telling));
    const info = { ...draft, expectedCertain: expected };
    return { ...built, info, bytes: modelBytes(graph, info) };
  } finally {
    await model.close();
  }
}

/** Leads are those of cosine similarities. */
export function gammaReference({ run, config, network, prototypes }: Deployable, gamma: number): Reference {
  const method = prototypeMethod(gammaSsl, network, config.options);
  const vectors = storedPrototypes(constant(prototypes));
  return {
    network: finalNetwork(run),
    scorer: {
      method: method.name,
      settings: {},
      score: (outputs) => method.score(outputs, { prototypes }, {}),
    },
    lead: ({ features, predicted, enlarge }) => ({
      predicted,
      uncertainty: lead(enlarge(similarities(network.project(features, inferencePass), vectors))),
    }),
    gamma,
    sizes: (_, seen) => roundingSizes(config.options, seen),
    allowed: TOLERANCE,
  };
}

/** Measured on images where they are at hand and γ is that of training; else as it was where γ was solved. */
async function expectedShares(
  { from, certain }: ChosenGamma,
  target: Dataset | null,
  measure: (images: Dataset) => Promise<ExpectedCertain>,
): Promise<ExpectedCertain> {
  return from === "training" && target !== null ? measure(target) : certain;
}

/** What is known of a model before it has looked at images. */
function draftInfo(
  { run, config, unseen }: Deployable,
  source: Dataset,
  { gamma, from, certain }: ChosenGamma,
): Omit<ModelInfo, "distanceFrom"> {
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
