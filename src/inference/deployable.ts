import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import type { Graph } from "../engine/graph/graph.js";
import { constant } from "../engine/graph/value.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { floats, type HostTensor } from "../engine/tensor/hostTensor.js";
import { type Deployment, deployedGraph } from "../methods/gamma-ssl/deployedGraph.js";
import type { GammaNetwork } from "../methods/gamma-ssl/network.js";
import { gammaSsl, prototypeMethod } from "../methods/gamma-ssl/prototypeMethod.js";
import { UserError } from "../platform/errors.js";
import type { GammaConfig } from "../runs/config.js";
import { finalNetwork } from "../runs/inferenceNetwork.js";
import type { TrainedRun } from "../runs/openRun.js";
import { BUILT_AT, bindWeights, normalisation } from "./deployedProgram.js";
import { fitOnSource } from "./fitOnSource.js";
import { fitSaved } from "./fitSaved.js";

/** A run of the method with its prototypes: what can be deployed. */
export interface Deployable {
  readonly run: TrainedRun;
  readonly config: GammaConfig;
  readonly network: GammaNetwork;
  /** Of all labelled source images: [F, K]. */
  readonly prototypes: HostTensor;
  /** Classes that no source image shows. */
  readonly unseen: readonly string[];
}

/** The network of a run that has prototypes and a γ of theirs; others are refused. */
export function requireDeployable(run: TrainedRun) {
  const inference = finalNetwork(run);
  const { gammaNetwork: network, config } = inference;
  if (network === null || config.method !== "gamma-ssl") {
    throw new UserError(`${run.folder} was trained by "${config.method}": it has no prototypes and no γ`, {
      hint: "train with --method gamma-ssl; gssl evaluate scores supervised runs",
    });
  }
  if (config.options.branches.query !== "prototypes") {
    throw new UserError(`γ of ${run.folder} belongs to its head, not to prototypes (ablation "${config.ablation}")`, {
      hint: "such a run is for tables; gssl evaluate scores it",
    });
  }
  return { inference, network, config };
}

/** Find the prototypes of a run in its folder, or make them (P-10, P-11), or say why it has none. */
export async function deployable(
  runtime: Runtime,
  run: TrainedRun,
  source: Dataset,
  onProgress?: (what: string, done: number, total: number) => void,
): Promise<Deployable> {
  const { inference, network, config } = requireDeployable(run);
  const method = prototypeMethod(gammaSsl, network, config.options);
  const telling = (_: string, done: number, total: number): void => onProgress?.("prototypes", done, total);
  const options = { runtime, network: inference, dataset: source, onProgress: telling };
  // The folder keeps those of the last weights.
  const fitted = await (run.stage === null
    ? fitSaved({ ...options, folder: run.folder, overwrite: false }, [method])
    : fitOnSource(options, [method]));
  const prototypes = fitted.get(method.name)!.tensors.prototypes!;
  const names = classesOf(source);
  const values = floats(prototypes, "prototypes");
  const seen = (k: number): boolean => values.some((value, i) => i % names.length === k && value !== 0);
  return { run, config, network, prototypes, unseen: names.filter((_, k) => !seen(k)) };
}

/** From bytes to answers with everything inside. */
export function deploymentGraph(
  runtime: Runtime,
  { run, config, network, prototypes }: Deployable,
  { gamma, probabilities, places }: Pick<Deployment, "gamma" | "probabilities" | "places">,
): Promise<Graph> {
  const { options, view } = config;
  const eye = { height: view.height, normalisation };
  const parts = { ...eye, network, prototypes: constant(prototypes), gamma, options, probabilities, places };
  const graph = deployedGraph(parts, BUILT_AT);
  return bindWeights(runtime, graph, run.weights);
}
