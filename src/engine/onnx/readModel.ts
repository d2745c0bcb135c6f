import { fromBinary } from "@bufbuild/protobuf";
import { UserError } from "../../platform/errors.js";
import { type ModelProto, ModelProtoSchema, TensorProto_DataLocation } from "./schema/onnx_pb.js";

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
 * Look into an ONNX file without running it. One that would read other files (external data) or needs ops that are not ONNX's
 * own is refused: a model is one file that runs anywhere, and can do nothing but compute.
 */
export function readModel(bytes: Uint8Array, file: string): ModelFacts {
  const { graph, metadataProps } = parsed(bytes, file);
  if (graph === undefined) throw new UserError(`${file} is an ONNX file without a graph`);
  const outside = graph.initializer.find(({ dataLocation }) => dataLocation === TensorProto_DataLocation.EXTERNAL);
  if (outside !== undefined) {
    throw new UserError(`${file} keeps "${outside.name}" in another file`, { hint: "save it as one file" });
  }
  const foreign = graph.node.find(({ domain }) => domain !== "" && domain !== "ai.onnx");
  if (foreign !== undefined) {
    throw new UserError(`${file} needs "${foreign.opType}" of ${foreign.domain}`, {
      hint: "only ONNX's own ops run everywhere",
    });
  }
  return {
    metadata: Object.fromEntries(metadataProps.map(({ key, value }) => [key, value])),
    nodes: graph.node.length,
    opTypes: new Set(graph.node.map(({ opType }) => opType)),
    inputs: graph.input.map(({ name }) => name),
    outputs: graph.output.map(({ name }) => name),
  };
}

function parsed(bytes: Uint8Array, file: string): ModelProto {
  try {
    return fromBinary(ModelProtoSchema, bytes);
  } catch (cause) {
    throw new UserError(`${file} is not an ONNX file`, { hint: "gssl export writes one", cause });
  }
}
