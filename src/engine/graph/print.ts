import type { HostTensor } from "../tensor/hostTensor.js";
import { show } from "../tensor/shape.js";
import { type Graph, inputsOf, nodesOf } from "./graph.js";
import { nameGraph } from "./names.js";
import type { Attr, Value } from "./value.js";

function showAttr(attr: Attr): string {
  if (typeof attr === "object" && "real" in attr) return String(attr.real);
  return Array.isArray(attr) ? `[${attr.join(", ")}]` : String(attr);
}

/** Small constants are shown as they are, large ones by their type. */
function showConstant(tensor: HostTensor): string {
  if (tensor.data.length > 4) return show(tensor);
  const values = Array.from<number | bigint, string>(tensor.data, (x) =>
    String(typeof x === "number" ? Number(x.toPrecision(6)) : x),
  );
  return tensor.shape.length === 0 ? values.join("") : `[${values.join(", ")}]`;
}

/** The program as text, one line a node: `type name = op(inputs) attributes`. Made to be read and compared. */
export function printGraph(graph: Graph): string {
  const names = nameGraph(graph);
  const say = (value: Value): string =>
    "constant" in value.origin ? showConstant(value.origin.constant) : names.of(value);
  const lines: string[] = [];
  for (const [name, value] of inputsOf(graph)) lines.push(`input ${name}: ${show(value.type)}`);
  for (const node of nodesOf(graph)) {
    const made = node.outputs.map((value) => `${names.of(value)}: ${show(value.type)}`).join(", ");
    const attrs = Object.entries(node.attrs).map(([key, attr]) => ` ${key}=${showAttr(attr)}`);
    lines.push(`${made} = ${node.opType}(${node.inputs.map(say).join(", ")})${attrs.join("")}`);
  }
  for (const [name, value] of Object.entries(graph.outputs)) {
    if (say(value) !== name) lines.push(`output ${name} = ${say(value)}`);
    else lines.push(`output ${name}`);
  }
  return `${lines.join("\n")}\n`;
}
