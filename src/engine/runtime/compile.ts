import { UserError } from "../../platform/errors.js";
import { type Graph, inputsOf, nodesOf } from "../graph/graph.js";
import { nameGraph } from "../graph/names.js";
import type { Value } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { firstNonFinite, type HostTensor, type Tensors, totalBytes } from "../tensor/hostTensor.js";
import { show } from "../tensor/shape.js";
import { narrowAll, portable, widenAll } from "./portable.js";
import type { Carried, Program, Runtime, Signature, StatefulProgram } from "./runtime.js";

function signatureOf(graph: Graph): Signature {
  return {
    inputs: new Map([...inputsOf(graph)].map(([name, value]) => [name, value.type])),
    outputs: new Map(Object.entries(graph.outputs).map(([name, value]) => [name, value.type])),
  };
}

/** A graph as a model in the spelling that suits a runtime. Where that is the portable one, whole numbers are int32 inside. */
function written(runtime: Runtime, graph: Graph) {
  const own = runtime.portable ? portable(graph) : graph;
  const { bytes, given } = writeModel(own, { shapes: "withheld" });
  const { inputs, outputs } = signatureOf(own);
  const wide = signatureOf(graph);
  return {
    bytes,
    signature: { inputs: new Map([...inputs, ...Object.entries(given)]), outputs },
    feeds: (feeds: Tensors): Tensors => ({ ...given, ...(runtime.portable ? narrowAll(feeds) : feeds) }),
    results: (found: Record<string, HostTensor>) => (runtime.portable ? widenAll(found, wide) : found),
  };
}

/** A graph made ready to run. */
export async function compile(runtime: Runtime, graph: Graph): Promise<Program> {
  const model = written(runtime, graph);
  const program = await runtime.load(model.bytes, model.signature);
  return {
    run: async (feeds, into) => model.results(await program.run(model.feeds(feeds), into)),
    close: () => program.close(),
  };
}

/** A graph made ready to run over and over, with some of its outputs handed to its next run. */
export async function compileStateful(runtime: Runtime, graph: Graph, carried: Carried): Promise<StatefulProgram> {
  if (runtime.loadStateful === undefined) return stateOnHost(await compile(runtime, graph), carried);
  const model = written(runtime, graph);
  const program = await runtime.loadStateful(model.bytes, model.signature, carried);
  return {
    ...program,
    run: async (feeds, accept) => model.results(await program.run(model.feeds(feeds), accept)),
  };
}

/**
 * Where the first NaN or infinity comes from: an input that already has one, else the first node that makes one of
 * finite inputs. Returns null when everything is finite. Runs the graph once more with every real
 * value laid open; whole numbers are always finite.
 */
export async function findNonFinite(runtime: Runtime, graph: Graph, feeds: Tensors): Promise<string | null> {
  for (const [name, value] of inputsOf(graph)) {
    const at = feeds[name] === undefined ? -1 : firstNonFinite(feeds[name]);
    if (at >= 0) return `input "${name}" ${show(value.type)} holds ${feeds[name]!.data[at]} at element ${at}`;
  }
  const names = nameGraph(graph);
  const isReal = ({ type }: Value): boolean => type.dtype === "float32";
  const made = nodesOf(graph).flatMap((node) =>
    node.outputs
      .slice(0, 1)
      .filter(isReal)
      .map((value) => ({ node, value })),
  );
  const open: Graph = {
    outputs: Object.fromEntries(made.map(({ node, value }) => [`open:${names.node(node)}`, value])),
  };
  const program = await compile(runtime, open);
  const results = await program.run(feeds).finally(() => program.close());
  for (const { node, value } of made) {
    const name = names.node(node);
    const result = results[`open:${name}`]!;
    const at = firstNonFinite(result);
    if (at >= 0) return `node "${name}" ${show(value.type)} is the first to make ${result.data[at]}, at element ${at}`;
  }
  return null;
}

/** A program that refuses to take or give a NaN or infinity, naming what made it. Slower; for hunting, not for nights. */
export async function compileGuarded(runtime: Runtime, graph: Graph): Promise<Program> {
  const program = await compile(runtime, graph);
  return {
    async run(feeds, into) {
      const results = await program.run(feeds, into);
      const bad = [...Object.entries(feeds), ...Object.entries(results)].find(
        ([, tensor]) => firstNonFinite(tensor) >= 0,
      );
      if (bad === undefined) return results;
      const cause = await findNonFinite(runtime, graph, feeds);
      throw new UserError(`"${bad[0]}" is not finite: ${cause ?? "the cause did not show up a second time"}`);
    },
    close: () => program.close(),
  };
}

/** State that travels through ordinary memory: all there is on a CPU. */
function stateOnHost(program: Program, { outputs, start }: Carried): StatefulProgram {
  let state = start;
  let movedBytes = 0;
  return {
    async run(feeds, accept) {
      const given = { ...state, ...feeds };
      // Results come in arrays of their own anyway: a second set to write them to would only take more memory.
      const results = await program.run(given);
      movedBytes = totalBytes(given) + totalBytes(results);
      const next: Record<string, HostTensor> = { ...state };
      for (const [name, output] of outputs) {
        if (output === null) continue;
        next[name] = results[output]!;
        delete results[output];
      }
      if (accept(results)) state = next;
      return results;
    },
    state: async (): Promise<Tensors> => state,
    movedBytes: () => movedBytes,
    close: () => program.close(),
  };
}
