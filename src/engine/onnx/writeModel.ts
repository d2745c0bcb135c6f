import { create, toBinary } from "@bufbuild/protobuf";
import { type Graph, inputsOf, nodesOf } from "../graph/graph.js";
import { nameGraph } from "../graph/names.js";
import type { Attr, Attrs, Emitter, Value } from "../graph/value.js";
import { type HostTensor, int64, type Tensors } from "../tensor/hostTensor.js";
import { type DType, type Shape, size, type TensorType } from "../tensor/shape.js";
import {
  type AttributeProto,
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  ModelProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  type TensorProto,
  TensorProto_DataType,
  TensorProtoSchema,
  type ValueInfoProto,
  ValueInfoProtoSchema,
} from "./schema/onnx_pb.js";

/** The versions we write: old enough for every runtime in use, new enough for all our ops. */
const IR_VERSION = 8n;
const OPSET = 17n;

/** Constants above this many elements are looked at before they are stored: zeros are made at run time instead. */
const LARGE_CONSTANT = 1024;

const onnxType: Record<DType, TensorProto_DataType> = {
  float32: TensorProto_DataType.FLOAT,
  float16: TensorProto_DataType.FLOAT16,
  int64: TensorProto_DataType.INT64,
  int32: TensorProto_DataType.INT32,
  uint8: TensorProto_DataType.UINT8,
  bool: TensorProto_DataType.BOOL,
};

export interface WriteOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Whether the runtime is told the shapes of things, or learns them as it runs.
   *
   * Told, it keeps one buffer for each shape that ever occurs, all at once; a training step then takes a third more memory
   * than it needs. Withheld, it takes and gives back buffers as it goes. Shapes that ops ask for become inputs (`given`).
   */
  readonly shapes?: "told" | "withheld";
}

/** An ONNX model, and what must be fed to it besides its own inputs. */
export interface WrittenModel {
  readonly bytes: Uint8Array;
  readonly given: Tensors;
}

/** A graph as an ONNX model. */
export function writeModel(graph: Graph, { metadata = {}, shapes = "told" }: WriteOptions = {}): WrittenModel {
  const names = nameGraph(graph);
  const nodes: NodeProto[] = [];
  const given: Record<string, HostTensor> = {};
  const shapeName = (extents: Shape): string => {
    const tensor = int64([extents.length], extents);
    if (shapes === "told") return constants.name(tensor);
    const name = `shape[${extents.join()}]`;
    given[name] = tensor;
    return name;
  };
  const constants = new ConstantTable((node) => nodes.push(node), shapeName);
  const used = consumed(graph);
  const nameOf = (value: Value): string =>
    "constant" in value.origin ? constants.name(value.origin.constant) : names.of(value);

  for (const node of nodesOf(graph)) {
    let steps = 0;
    const emitter: Emitter = {
      name: nameOf,
      int64: (values) => constants.name(int64([values.length], values)),
      shape: shapeName,
      node(opType, input, attrs = {}) {
        const output = node.outputs.map((value, i) =>
          i === 0 || !node.optionalOutputs || used.has(value) ? names.of(value) : "",
        );
        while (output.at(-1) === "") output.pop();
        nodes.push(nodeProto(names.node(node), opType, input, output, attrs));
      },
      step(opType, input, attrs = {}, unread = 0) {
        const name = `${names.node(node)}/step${++steps}`;
        const rest = Array.from({ length: unread }, (_, i) => `${name}.${i + 1}`);
        nodes.push(nodeProto(name, opType, input, [name, ...rest], attrs));
        return name;
      },
    };
    node.emit(emitter);
  }
  for (const [name, value] of Object.entries(graph.outputs)) {
    // An output that is an input, a constant, or another output under a second name.
    if (nameOf(value) !== name) nodes.push(nodeProto(`output/${name}`, "Identity", [nameOf(value)], [name], {}));
  }

  const info = (name: string, type: TensorType): ValueInfoProto => valueInfo(name, type, shapes);
  const model = create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    producerName: "gamma-ssl",
    opsetImport: [{ domain: "", version: OPSET }],
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    graph: {
      name: "gamma-ssl",
      node: nodes,
      initializer: constants.initializers,
      input: [
        ...[...inputsOf(graph)].map(([name, value]) => info(name, value.type)),
        ...Object.entries(given).map(([name, tensor]) => info(name, tensor)),
      ],
      output: Object.entries(graph.outputs).map(([name, value]) => info(name, value.type)),
    },
  });
  return { bytes: toBinary(ModelProtoSchema, model), given };
}

/** Values that something reads. */
function consumed(graph: Graph): Set<Value> {
  const used = new Set<Value>(Object.values(graph.outputs));
  for (const node of nodesOf(graph)) for (const value of node.inputs) used.add(value);
  return used;
}

/** Constants of a model, equal ones stored once. */
class ConstantTable {
  readonly initializers: TensorProto[] = [];
  readonly #byContent = new Map<string, string>();
  readonly #byTensor = new Map<HostTensor, string>();
  readonly #addNode: (node: NodeProto) => void;
  readonly #shapeName: (extents: Shape) => string;

  constructor(addNode: (node: NodeProto) => void, shapeName: (extents: Shape) => string) {
    this.#addNode = addNode;
    this.#shapeName = shapeName;
  }

  name(tensor: HostTensor): string {
    const known = this.#byTensor.get(tensor);
    if (known !== undefined) return known;
    const name = size(tensor.shape) > LARGE_CONSTANT ? this.#large(tensor) : this.#small(tensor);
    this.#byTensor.set(tensor, name);
    return name;
  }

  #small(tensor: HostTensor): string {
    const key = `${tensor.dtype}[${tensor.shape.join()}]${tensor.data.join()}`;
    const name = this.#byContent.get(key) ?? this.#store(tensor);
    this.#byContent.set(key, name);
    return name;
  }

  #large(tensor: HostTensor): string {
    const zero = tensor.data instanceof Float32Array && tensor.data.every((x) => x === 0);
    if (!zero) return this.#store(tensor);
    const name = `zeros[${tensor.shape.join()}]`;
    if (!this.#byContent.has(name)) {
      this.#addNode(nodeProto(name, "ConstantOfShape", [this.#shapeName(tensor.shape)], [name], {}));
      this.#byContent.set(name, name);
    }
    return name;
  }

  #store(tensor: HostTensor): string {
    const name = `constant_${this.initializers.length}`;
    const { buffer, byteOffset, byteLength } = tensor.data;
    this.initializers.push(
      create(TensorProtoSchema, {
        name,
        dims: tensor.shape.map(BigInt),
        dataType: onnxType[tensor.dtype],
        rawData: new Uint8Array(buffer, byteOffset, byteLength),
      }),
    );
    return name;
  }
}

function nodeProto(
  name: string,
  opType: string,
  input: readonly string[],
  output: readonly string[],
  attrs: Attrs,
): NodeProto {
  const attribute = Object.entries(attrs).map(([key, attr]) => attributeProto(key, attr));
  return create(NodeProtoSchema, { name, opType, input: [...input], output: [...output], attribute });
}

function attributeProto(name: string, attr: Attr): AttributeProto {
  const { FLOAT, INT, INTS, STRING } = AttributeProto_AttributeType;
  if (typeof attr === "number") return create(AttributeProtoSchema, { name, type: INT, i: BigInt(attr) });
  if (typeof attr === "string")
    return create(AttributeProtoSchema, { name, type: STRING, s: new TextEncoder().encode(attr) });
  if ("real" in attr) return create(AttributeProtoSchema, { name, type: FLOAT, f: attr.real });
  return create(AttributeProtoSchema, { name, type: INTS, ints: attr.map(BigInt) });
}

function valueInfo(name: string, { dtype, shape }: TensorType, shapes: "told" | "withheld"): ValueInfoProto {
  const dim = shape.map((extent) => ({ value: { case: "dimValue" as const, value: BigInt(extent) } }));
  const value = { elemType: onnxType[dtype], ...(shapes === "told" && { shape: { dim } }) };
  return create(ValueInfoProtoSchema, { name, type: { value: { case: "tensorType", value } } });
}
