import { type Graph, nodesOf } from "./graph.js";
import type { Node, Value } from "./value.js";

export interface Rewriting {
  /** What stands for an input or a constant; itself when left out. */
  readonly leaf?: (leaf: Value) => Value;
  /** What stands for a node, given what stands for its inputs; null leaves it as it is. */
  readonly node?: (node: Node, inputs: readonly Value[]) => readonly Value[] | null;
}

/** The same program with parts replaced. Nothing is changed in place: the old graph still stands. */
export function rewritten(graph: Graph, { leaf = (value) => value, node: rule = () => null }: Rewriting): Graph {
  const now = new Map<Value, Value>();
  const standIn = (value: Value): Value => {
    const known = now.get(value);
    if (known !== undefined) return known;
    const made = leaf(value);
    now.set(value, made);
    return made;
  };
  for (const node of nodesOf(graph)) {
    const inputs = node.inputs.map(standIn);
    const same = inputs.every((value, i) => value === node.inputs[i]);
    const outputs = rule(node, inputs) ?? (same ? node.outputs : node.again(inputs));
    node.outputs.forEach((value, i) => void now.set(value, outputs[i] ?? value));
  }
  return { outputs: Object.fromEntries(Object.entries(graph.outputs).map(([name, value]) => [name, standIn(value)])) };
}
