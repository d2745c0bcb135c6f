import { type Graph, inputsOf, nodesOf } from "./graph.js";
import type { Node, Value } from "./value.js";

/** Unique, readable names for everything in a graph: inputs and outputs keep theirs, nodes get `path/Op`. */
export interface Names {
  of(value: Value): string;
  node(node: Node): string;
}

export function nameGraph(graph: Graph): Names {
  const taken = new Map<string, number>();
  const claim = (wanted: string): string => {
    const uses = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, uses);
    return uses === 1 ? wanted : claim(`${wanted}_${uses}`);
  };
  const values = new Map<Value, string>();
  const nodes = new Map<Node, string>();
  for (const [name, value] of inputsOf(graph)) values.set(value, claim(name));
  for (const [name, value] of Object.entries(graph.outputs)) {
    const unique = claim(name);
    if (!values.has(value) && value.node !== null) values.set(value, unique);
  }
  for (const node of nodesOf(graph)) {
    const name = claim(node.path === "" ? node.opType : `${node.path}/${node.opType}`);
    nodes.set(node, name);
    node.outputs.forEach((value, i) => {
      if (!values.has(value)) values.set(value, i === 0 ? name : claim(`${name}.${i}`));
    });
  }
  return {
    of(value) {
      let name = values.get(value);
      if (name === undefined) {
        name = claim("constant");
        values.set(value, name);
      }
      return name;
    },
    node: (node) => nodes.get(node)!,
  };
}
