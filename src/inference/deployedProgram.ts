import { DEVIATION, MEAN } from "../data/images/tensors.js";
import type { Graph } from "../engine/graph/graph.js";
import { writeModel } from "../engine/onnx/writeModel.js";
import { foldConvs } from "../engine/ops/foldConvs.js";
import { bindInputs } from "../engine/runtime/bindInputs.js";
import type { Runtime, Signature } from "../engine/runtime/runtime.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { invariant } from "../platform/errors.js";

/** Mean and deviation that deployed networks expect to be taken out of images: those of training. */
export const normalisation = { mean: MEAN, deviation: DEVIATION };

/** The size at which graphs are built. Any would do; an odd one shows at once if something depends on it. */
export const BUILT_AT = [77, 93] as const;

/** A graph with its weights inside, and as few nodes as possible. */
export const bindWeights = async (runtime: Runtime, graph: Graph, weights: Tensors): Promise<Graph> =>
  foldConvs(await bindInputs(runtime, graph, weights));

/** The ONNX file of such a graph: images of any size, and what it is in its metadata. */
export function openBytes(
  graph: Graph,
  { inputs, outputs }: Signature,
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const open = Object.fromEntries([...inputs, ...outputs].map(([name, { shape }]) => [name, shape]));
  const { bytes, given } = writeModel(graph, { metadata, open });
  invariant(Object.keys(given).length === 0, "a deployed model has inputs for shapes");
  return bytes;
}
