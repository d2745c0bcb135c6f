import { type Graph, inputsOf, nodesOf } from "../graph/graph.js";
import { rewritten } from "../graph/rewrite.js";
import { constant, type Node, type Value } from "../graph/value.js";
import type { Tensors } from "../tensor/hostTensor.js";
import { compile } from "./compile.js";
import type { Runtime } from "./runtime.js";

/**
 * The same program with some inputs known once and for all, weights for example. Whatever follows from them alone is computed
 * now, by the runtime itself, and carried inside as constants.
 */
export async function bindInputs(runtime: Runtime, graph: Graph, known: Tensors): Promise<Graph> {
  const bound = rewritten(graph, {
    leaf: (value) =>
      "input" in value.origin && Object.hasOwn(known, value.origin.input)
        ? constant(known[value.origin.input]!)
        : value,
  });
  const border = [...fixedBorder(bound)];
  if (border.length === 0) return bound;
  const names = new Map(border.map((value, i) => [value, `fixed.${i}`]));
  const program = await compile(runtime, {
    outputs: Object.fromEntries(border.map((value) => [names.get(value)!, value])),
  });
  const results = await program.run({}).finally(() => program.close());
  const computed = new Map(border.map((value) => [value, constant(results[names.get(value)!]!)]));
  return rewritten(bound, {
    node: (node) =>
      node.outputs.some((value) => computed.has(value))
        ? node.outputs.map((value) => computed.get(value) ?? value)
        : null,
  });
}

/** Values that follow from constants alone, and that something else reads. */
function fixedBorder(graph: Graph): Set<Value> {
  const free = new Set<Value>(inputsOf(graph).values());
  const isFixed = (node: Node): boolean => !node.inputs.some((value) => free.has(value));
  const nodes = nodesOf(graph);
  for (const node of nodes) if (!isFixed(node)) for (const value of node.outputs) free.add(value);
  const isBorder = (value: Value): boolean => value.node !== null && !free.has(value);
  const read = nodes.filter((node) => !isFixed(node)).flatMap((node) => node.inputs);
  return new Set([...read, ...Object.values(graph.outputs)].filter(isBorder));
}
