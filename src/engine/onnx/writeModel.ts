import { invariant } from "../../platform/errors.js";
import { type Graph, inputsOf, nodesOf } from "../graph/graph.js";
import { nameGraph } from "../graph/names.js";
import type { Attr, Attrs, Emitter, Value } from "../graph/value.js";
import { type HostTensor, int64, type Tensors } from "../tensor/hostTensor.js";
import { type DType, fits, type OpenType, type Shape, show, size, type TensorType } from "../tensor/shape.js";
import { create, encode } from "./protobuf.js";
import {
  type AttributeProto,
  AttributeType,
  attributeProto,
  DataType,
  graphProto,
  modelProto,
  type NodeProto,
  nodeProto,
  type TensorProto,
  tensorProto,
  type ValueInfoProto,
  valueInfoProto,
} from "./schema.js";

/** The versions we write: old enough for every runtime in use, new enough for all our ops. */
const IR_VERSION = 8n;
const OPSET = 17n;

/** Constants above this many elements are looked at before they are stored: zeros are made at run time instead. */
const LARGE_CONSTANT = 1024;

const onnxType: Record<DType, number> = {
  float32: DataType.FLOAT,
  float16: DataType.FLOAT16,
  int64: DataType.INT64,
  int32: DataType.INT32,
  int8: DataType.INT8,
  uint8: DataType.UINT8,
  bool: DataType.BOOL,
};

export interface WriteOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Whether shapes are declared, or found by the runtime as it runs.
   *
   * Told, it keeps one buffer for each shape that ever occurs, all at once; a training step then takes a third more memory
   * than it needs. Withheld, it takes and gives back buffers as it goes. Shapes that ops ask for become inputs (`given`).
   */
  readonly shapes?: "told" | "withheld";
  /**
   * Types of all inputs and outputs with extents left open: the model takes images of any size. The graph was built at one of
   * them, from ops that are written the same for all.
   */
  readonly open?: Readonly<Record<string, OpenType["shape"]>>;
}

/** An ONNX model, and what must be fed to it besides its own inputs. */
export interface WrittenModel {
  readonly bytes: Uint8Array;
  readonly given: Tensors;
}

/** A graph as an ONNX model. */
export function writeModel(graph: Graph, { metadata = {}, shapes = "told", open }: WriteOptions = {}): WrittenModel {
  const names = nameGraph(graph);
  const nodes: NodeProto[] = [];
  const given: Record<string, HostTensor> = {};
  const shapeName = (extents: Shape): string => {
    const tensor = int64([extents.length], extents);
    if (shapes === "told") return constants.name(tensor, "shape");
    const name = `shape[${extents.join()}]`;
    given[name] = tensor;
    return name;
  };
  const constants = new ConstantTable((node) => nodes.push(node), shapeName);
  const used = consumed(graph);
  const nameOf = (value: Value, reader: string): string =>
    "constant" in value.origin ? constants.name(value.origin.constant, reader) : names.of(value);

  for (const node of nodesOf(graph)) {
    const own = names.node(node);
    const steps = new Map<string, number>();
    const emitter: Emitter = {
      name: (value) => nameOf(value, own),
      int64: (values) => constants.name(int64([values.length], values), own),
      shape(extents) {
        invariant(open === undefined, `${own} depends on the size of the image, which is left open`);
        return shapeName(extents);
      },
      node(opType, input, attrs = {}) {
        const output = node.outputs.map((value, i) =>
          i === 0 || !node.optionalOutputs || used.has(value) ? names.of(value) : "",
        );
        while (output.at(-1) === "") output.pop();
        nodes.push(nodeOf(own, opType, input, output, attrs));
      },
      step(opType, input, attrs = {}, unread = 0) {
        const uses = (steps.get(opType) ?? 0) + 1;
        steps.set(opType, uses);
        const name = `${own}/${opType}${uses === 1 ? "" : `_${uses}`}`;
        const rest = Array.from({ length: unread }, (_, i) => `${name}.${i + 1}`);
        nodes.push(nodeOf(name, opType, input, [name, ...rest], attrs));
        return name;
      },
    };
    node.emit(emitter);
  }
  for (const [name, value] of Object.entries(graph.outputs)) {
    // An output that is an input, a constant, or another output under a second name.
    const found = nameOf(value, `output/${name}`);
    if (found !== name) nodes.push(nodeOf(`output/${name}`, "Identity", [found], [name], {}));
  }

  const info = (name: string, { dtype, shape }: TensorType): ValueInfoProto => {
    const type = { dtype, shape: open === undefined ? shape : open[name]! };
    invariant(fits(shape, type.shape), `"${name}" was built as ${show({ dtype, shape })}, not as ${show(type)}`);
    return valueInfo(name, type, shapes);
  };
  const model = create(modelProto, {
    irVersion: IR_VERSION,
    producerName: "gamma-ssl",
    opsetImport: [{ domain: "", version: OPSET }],
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    graph: create(graphProto, {
      name: "gamma-ssl",
      node: nodes,
      initializer: constants.initializers,
      input: [
        ...[...inputsOf(graph)].map(([name, value]) => info(name, value.type)),
        ...Object.entries(given).map(([name, tensor]) => info(name, tensor)),
      ],
      output: Object.entries(graph.outputs).map(([name, value]) => info(name, value.type)),
    }),
  });
  return { bytes: encode(modelProto, model), given };
}

/** Values that something reads. */
function consumed(graph: Graph): Set<Value> {
  const used = new Set<Value>(Object.values(graph.outputs));
  for (const node of nodesOf(graph)) for (const value of node.inputs) used.add(value);
  return used;
}

/** Constants of a model, equal ones stored once, under the name of the first node that reads them. */
class ConstantTable {
  readonly initializers: TensorProto[] = [];
  readonly #named = new Map<string, number>();
  readonly #byContent = new Map<string, string>();
  readonly #byTensor = new Map<HostTensor, string>();
  readonly #addNode: (node: NodeProto) => void;
  readonly #shapeName: (extents: Shape) => string;

  constructor(addNode: (node: NodeProto) => void, shapeName: (extents: Shape) => string) {
    this.#addNode = addNode;
    this.#shapeName = shapeName;
  }

  name(tensor: HostTensor, reader: string): string {
    const known = this.#byTensor.get(tensor);
    if (known !== undefined) return known;
    const name = size(tensor.shape) > LARGE_CONSTANT ? this.#large(tensor, reader) : this.#small(tensor, reader);
    this.#byTensor.set(tensor, name);
    return name;
  }

  #small(tensor: HostTensor, reader: string): string {
    const key = `${tensor.dtype}[${tensor.shape.join()}]${tensor.data.join()}`;
    const name = this.#byContent.get(key) ?? this.#store(tensor, reader);
    this.#byContent.set(key, name);
    return name;
  }

  #large(tensor: HostTensor, reader: string): string {
    const zero = tensor.data instanceof Float32Array && tensor.data.every((x) => x === 0);
    if (!zero) return this.#store(tensor, reader);
    const name = `zeros[${tensor.shape.join()}]`;
    if (!this.#byContent.has(name)) {
      this.#addNode(nodeOf(name, "ConstantOfShape", [this.#shapeName(tensor.shape)], [name], {}));
      this.#byContent.set(name, name);
    }
    return name;
  }

  #store(tensor: HostTensor, reader: string): string {
    const uses = (this.#named.get(reader) ?? 0) + 1;
    this.#named.set(reader, uses);
    const name = `${reader}.constant${uses === 1 ? "" : `_${uses}`}`;
    const { buffer, byteOffset, byteLength } = tensor.data;
    this.initializers.push(
      create(tensorProto, {
        name,
        dims: tensor.shape.map(BigInt),
        dataType: onnxType[tensor.dtype],
        rawData: new Uint8Array(buffer, byteOffset, byteLength),
      }),
    );
    return name;
  }
}

function nodeOf(
  name: string,
  opType: string,
  input: readonly string[],
  output: readonly string[],
  attrs: Attrs,
): NodeProto {
  const attribute = Object.entries(attrs).map(([key, attr]) => attributeOf(key, attr));
  return create(nodeProto, { name, opType, input: [...input], output: [...output], attribute });
}

function attributeOf(name: string, attr: Attr): AttributeProto {
  const { FLOAT, INT, INTS, STRING } = AttributeType;
  if (typeof attr === "number") return create(attributeProto, { name, type: INT, i: BigInt(attr) });
  if (typeof attr === "string")
    return create(attributeProto, { name, type: STRING, s: new TextEncoder().encode(attr) });
  if ("real" in attr) return create(attributeProto, { name, type: FLOAT, f: attr.real });
  return create(attributeProto, { name, type: INTS, ints: attr.map(BigInt) });
}

function valueInfo(name: string, { dtype, shape }: OpenType, shapes: "told" | "withheld"): ValueInfoProto {
  const dim = shape.map((extent) =>
    typeof extent === "number"
      ? { dimValue: BigInt(extent), dimParam: undefined }
      : { dimValue: undefined, dimParam: extent },
  );
  const tensorType = { elemType: onnxType[dtype], shape: shapes === "told" ? { dim } : undefined };
  return create(valueInfoProto, { name, type: { tensorType } });
}
