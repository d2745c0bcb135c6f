import { type Graph, nodesOf } from "../graph/graph.js";
import { within } from "../graph/path.js";
import { rewritten } from "../graph/rewrite.js";
import type { Node, Value } from "../graph/value.js";
import { geometryOf } from "./convGeometry.js";
import { filterInBytes, type Range, throughBytes } from "./quantise.js";

/** Which convolutions are to be computed in bytes. */
export type Chosen = (conv: Node) => boolean;

/**
 * The values that must go through bytes for these convolutions to be computed in them: what they read, and what they make,
 * behind a ReLU where one follows. Their ranges have to be found out (`quantiseConvs`).
 */
export function valuesInBytes(graph: Graph, chosen: Chosen): Set<Value> {
  const nodes = nodesOf(graph);
  const readers = new Map<Value, Node[]>();
  for (const node of nodes) {
    for (const value of node.inputs) readers.set(value, [...(readers.get(value) ?? []), node]);
  }
  const convs = nodes.filter((node) => geometryOf(node) !== null && chosen(node));
  return new Set(
    convs.flatMap((conv) => {
      const [made] = conv.outputs as [Value];
      const [only, ...others] = readers.get(made) ?? [];
      const finished = only?.opType === "Relu" && others.length === 0 ? only.outputs[0]! : made;
      return [conv.inputs[0]!, finished];
    }),
  );
}

/** The same program with these convolutions, and what they read and make, in bytes: the pattern that runtimes know (QDQ). */
export function quantiseConvs(graph: Graph, chosen: Chosen, ranges: ReadonlyMap<Value, Range>): Graph {
  const inBytes = (node: Node, outputs: readonly Value[]): readonly Value[] =>
    outputs.map((made, i) => {
      const range = ranges.get(node.outputs[i]!);
      return range === undefined ? made : within(node.path, () => throughBytes(made, range));
    });
  return rewritten(graph, {
    node(node, inputs) {
      if (geometryOf(node) === null || !chosen(node)) return inBytes(node, node.again(inputs));
      const [x, filter, ...bias] = inputs as [Value, Value, ...Value[]];
      const stored = within(node.path, () => filterInBytes(filter));
      return inBytes(node, node.again([x, stored, ...bias]));
    },
  });
}
