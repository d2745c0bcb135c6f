import { UserError } from "../../platform/errors.js";
import { requireModestSizes } from "./modelSizes.js";
import { decode } from "./protobuf.js";
import {
  EXTERNAL,
  type ModelProto,
  modelProto,
  type NodeProto,
  type SparseTensorProto,
  type TensorProto,
} from "./schema.js";

/** What a model says about itself. */
export interface ModelFacts {
  readonly metadata: Readonly<Record<string, string>>;
  readonly nodes: number;
  /** Kinds of its nodes. */
  readonly opTypes: ReadonlySet<string>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/**
 * Ops that a model may have: those that `writeModel` writes, and others that only compute. None runs a graph of its own, opens a file or
 * repeats anything, so a model ends when each of its nodes has been computed once.
 */
const known = new Set(
  `Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast Ceil Clip Compress Concat Constant ConstantOfShape Conv ConvInteger
  ConvTranspose CumSum DepthToSpace DequantizeLinear Div Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike Flatten Floor
  Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual GroupNormalization HardSigmoid HardSwish
  Identity InstanceNormalization IsInf IsNaN LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax MatMul MatMulInteger Max MaxPool
  Mean Min Mish Mod Mul Neg Not OneHot Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear Range Reciprocal ReduceL1 ReduceL2
  ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize Round ScatterElements
  ScatterND Shape Sigmoid Sign Size Slice Softmax Softplus SpaceToDepth Split Sqrt Squeeze Sub Sum Tanh ThresholdedRelu Tile TopK Transpose
  Trilu Unsqueeze Where Xor`.split(/\s+/),
);

/**
 * Look into an ONNX file without running it. One that would read other files (external data, in whatever tensor), that has graphs within
 * its nodes, functions of its own, or ops that are not ONNX's, is refused: a model is one file that runs anywhere and can do nothing but
 * compute.
 */
export function readModel(bytes: Uint8Array, file: string): ModelFacts {
  const { graph, metadataProps, functions, trainingInfo } = parsed(bytes, file);
  if (graph === undefined) throw new UserError(`${file} is an ONNX file without a graph`);
  if (functions.length > 0 || trainingInfo.length > 0) {
    const what = functions.length > 0 ? `a function of its own, "${functions[0]!.name}"` : "a graph for training";
    throw new UserError(`${file} has ${what}`, { hint: "gssl export writes models without" });
  }
  for (const tensor of graph.initializer) refuseOutside(tensor, file);
  for (const sparse of graph.sparseInitializer) refuseSparse(sparse, file);
  for (const node of graph.node) checkNode(node, file);
  requireModestSizes(graph, file);
  return {
    metadata: Object.fromEntries(metadataProps.map(({ key, value }) => [key, value ?? ""])),
    nodes: graph.node.length,
    opTypes: new Set(graph.node.map(({ opType }) => opType)),
    inputs: graph.input.map(({ name }) => name),
    outputs: graph.output.map(({ name }) => name),
  };
}

function checkNode({ opType, domain, name, attribute }: NodeProto, file: string): void {
  if (domain !== "" && domain !== "ai.onnx") {
    throw new UserError(`${file} needs "${opType}" of ${domain}`, { hint: "only ONNX's own ops run everywhere" });
  }
  if (!known.has(opType)) {
    throw new UserError(`${file} has a node "${name}" of kind "${opType}", which no model of gssl export has`, {
      hint: "gssl export writes models of ops that only compute",
    });
  }
  for (const { g, graphs, t, tensors, sparseTensor, sparseTensors } of attribute) {
    if (g !== undefined || graphs.length > 0) {
      throw new UserError(`${file} has a graph within its node "${name}"`, {
        hint: "gssl export writes models without",
      });
    }
    for (const tensor of [...(t === undefined ? [] : [t]), ...tensors]) refuseOutside(tensor, file);
    for (const sparse of [...(sparseTensor === undefined ? [] : [sparseTensor]), ...sparseTensors])
      refuseSparse(sparse, file);
  }
}

function refuseSparse({ values, indices }: SparseTensorProto, file: string): void {
  for (const tensor of [values, indices]) if (tensor !== undefined) refuseOutside(tensor, file);
}

/** Numbers of a tensor that lie in another file would be read by the runtime, whatever file that is. */
function refuseOutside({ name, dataLocation, externalData }: TensorProto, file: string): void {
  if (dataLocation !== EXTERNAL && externalData.length === 0) return;
  throw new UserError(`${file} keeps "${name}" in another file`, { hint: "save it as one file" });
}

function parsed(bytes: Uint8Array, file: string): ModelProto {
  try {
    return decode(modelProto, bytes);
  } catch (cause) {
    throw new UserError(`${file} is not an ONNX file`, { hint: "gssl export writes one", cause });
  }
}
