import { UserError } from "../../platform/errors.js";
import { show } from "../tensor/shape.js";
import type { Node, Value } from "./value.js";

/** A whole program: what to compute, by name. What it needs follows from that. */
export interface Graph {
  readonly outputs: Readonly<Record<string, Value>>;
}

/** Every node the outputs need, each after the nodes it reads. Nothing else is ever written or run. */
export function nodesOf({ outputs }: Graph): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  // A stack of our own: a training step is thousands of nodes deep.
  const stack: { node: Node; next: number }[] = [];
  const visit = (value: Value): void => {
    if (value.node !== null && !seen.has(value.node)) {
      seen.add(value.node);
      stack.push({ node: value.node, next: 0 });
    }
  };
  for (const output of Object.values(outputs)) {
    visit(output);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const operand = top.node.inputs[top.next++];
      if (operand !== undefined) visit(operand);
      else {
        order.push(top.node);
        stack.pop();
      }
    }
  }
  return order;
}

/** The inputs the outputs need, by name. A name that means two things is an error. */
export function inputsOf(graph: Graph): Map<string, Value> {
  const found = new Map<string, Value>();
  const note = (value: Value): void => {
    if (!("input" in value.origin)) return;
    const name = value.origin.input;
    const known = found.get(name);
    if (known !== undefined && known !== value) {
      throw new UserError(`two different inputs are called "${name}": ${show(known.type)} and ${show(value.type)}`);
    }
    found.set(name, value);
  };
  for (const output of Object.values(graph.outputs)) note(output);
  for (const node of nodesOf(graph)) node.inputs.forEach(note);
  for (const [name, output] of Object.entries(graph.outputs)) {
    const clash = found.get(name);
    if (clash !== undefined && clash !== output)
      throw new UserError(`an input and an output are both called "${name}"`);
  }
  return found;
}
