import { create, decode, encode } from "./protobuf.js";
import {
  AttributeType,
  attributeProto,
  type GraphProto,
  modelProto,
  type NodeProto,
  nodeProto,
  tensorProto,
} from "./schema.js";

/**
 * The same model with every Resize of images whose channels come last, [N, H, W, C], turned to [N, C, H, W] and back: WebGPU's kernel
 * takes the last two axes for height and width, whatever the scales say. On a CPU channels last are faster, so files have them.
 */
export function resizeChannelsFirst(model: Uint8Array): Uint8Array {
  const proto = decode(modelProto, model);
  const { graph } = proto;
  if (graph === undefined) return model;
  const turned = graph.node.flatMap((node) => turnedResize(node, graph) ?? [node]);
  if (turned.length === graph.node.length) return model;
  graph.node = turned;
  return encode(modelProto, proto);
}

/** Three nodes in place of one, and the scales in their new order among the constants; null for anything else. */
function turnedResize(node: NodeProto, { initializer }: GraphProto): NodeProto[] | null {
  const scales = node.opType === "Resize" ? initializer.find(({ name }) => name === node.input[2]) : undefined;
  if (scales?.rawData?.byteLength !== 4 * 4) return null;
  const [n, height, width, channels] = new Float32Array(new Uint8Array(scales.rawData).buffer);
  if (height === 1 || channels !== 1) return null;
  const [first, resized, order] = ["first", "resized", "scales"].map((what) => `${node.name}/${what}`);
  const rawData = new Uint8Array(Float32Array.of(n!, channels, height!, width!).buffer);
  initializer.push(create(tensorProto, { name: order!, dims: [4n], dataType: scales.dataType, rawData }));
  const resize = create(nodeProto, { ...node, input: [first!, node.input[1]!, order!], output: [resized!] });
  return [transpose(node.input[0]!, first!, [0, 3, 1, 2]), resize, transpose(resized!, node.output[0]!, [0, 2, 3, 1])];
}

const transpose = (from: string, to: string, perm: readonly number[]): NodeProto =>
  create(nodeProto, {
    name: `${to}/Transpose`,
    opType: "Transpose",
    input: [from],
    output: [to],
    attribute: [create(attributeProto, { name: "perm", type: AttributeType.INTS, ints: perm.map(BigInt) })],
  });
