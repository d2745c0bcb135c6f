import { describe, expect, test } from "vitest";
import { gammaBatch, tinyPlan } from "../../../test/gammaBatch.js";
import { distance, opCases } from "../../../test/torchOpCases.js";
import { small } from "../../methods/gamma-ssl/options.js";
import { gammaStep } from "../../methods/gamma-ssl/step.js";
import { Stepper } from "../../networks/optim/stepper.js";
import { type Graph, inputsOf, nodesOf } from "../graph/graph.js";
import { constant, input, type Value } from "../graph/value.js";
import { equal, greater, maximum, minimum, number, or } from "../ops/elementwise.js";
import { argmax } from "../ops/reduce.js";
import { countTrue, kthLargest } from "../ops/select.js";
import { float32, int64 } from "../tensor/hostTensor.js";
import { compile } from "./compile.js";
import { nodeRuntime } from "./node.js";
import { portable } from "./portable.js";
import type { Runtime } from "./runtime.js";

const cpu = nodeRuntime();
/** The portable spelling, computed by the CPU. */
const runtime: Runtime = { ...cpu, portable: true };

/** What WebGPU would leave to the CPU, and whole numbers of 64 bits; only TopK must make them. */
const unwanted = (graph: Graph): string[] =>
  nodesOf(graph).flatMap(({ opType, outputs }) => {
    const isWide = outputs.some(({ type }) => type.dtype === "int64") && opType !== "TopK" && opType !== "MaxPool";
    const isOurs = ["AddAt", "BatchNormalization", "ArgMax", "KthLargest", "Or", "ScatterRows"].includes(opType);
    return isWide || isOurs ? [opType] : [];
  });

describe("without what only the CPU has, still agrees with PyTorch to 1e-4:", () => {
  const concerned = opCases.filter(({ name }) =>
    /^(batch_norm|max_pool|gather|gather_along|cross_entropy)\//.test(name),
  );
  test.each(concerned.map((one) => [one.name, one] as const))("%s", async (_, { outputs, feeds, wanted }) => {
    expect(unwanted(portable({ outputs }))).toEqual([]);
    const program = await compile(runtime, { outputs });
    const results = await program.run(feeds).finally(() => program.close());
    for (const [key, value] of Object.entries(wanted)) {
      expect(distance(results[key]!, value, key), key).toBeLessThan(1e-4);
    }
  });
});

describe("exactly as without", () => {
  const x = input("x", { dtype: "float32", shape: [2, 5, 6] });
  const labels = input("labels", { dtype: "int64", shape: [2, 6] });
  const among = greater(x, number(-0.5));
  const count = countTrue(or(among, greater(number(-1.5), x)));
  const least = maximum(countTrue(among), constant(int64([], [1])));
  const outputs: Record<string, Value> = {
    winner: argmax(x, 1),
    kept: argmax(x, 2, { keep: true }),
    right: equal(argmax(x, 1), labels),
    labels,
    count,
    third: kthLargest(x, among, minimum(constant(int64([], [3])), least), -9),
    last: kthLargest(x, among, least, -9),
  };
  // Whole numbers from -2 to 2: many ties.
  const values = Float32Array.from({ length: 60 }, (_, i) => ((i * 7919) % 5) - 2);

  test.each([
    ["some elements take part", values],
    ["none does", values.map(() => -1)],
  ])("selection, classes and their int64 outside: %s", async (_, data) => {
    expect(unwanted(portable({ outputs }))).toEqual([]);
    const feeds = { x: float32(x.shape, data), labels: int64([2, 6], [0, 1, 2, 3, 4, 0, 255, 1, 2, 3, 4, 0]) };
    const run = async (one: Runtime) => {
      const program = await compile(one, { outputs });
      return program.run(feeds).finally(() => program.close());
    };
    expect(await run(runtime)).toEqual(await run(cpu));
  });
});

test("a whole step of γ-SSL has nothing left for the CPU, takes int64 labels, and measures the same", async () => {
  const step = gammaStep(tinyPlan("adaptation", small));
  const own = portable(step.graph);
  expect(unwanted(own)).toEqual([]);
  expect([...inputsOf(own).values()].map(({ type }) => type.dtype)).not.toContain("int64");
  const first = async (one: Runtime) => {
    const stepper = await Stepper.open(one, step, { seed: 1 });
    return stepper.run(gammaBatch(step, 0), 1e-4).finally(() => stepper.close());
  };
  const [wanted, found] = [await first(cpu), await first(runtime)];
  for (const [name, { data }] of Object.entries(wanted))
    for (const [i, value] of data.entries()) expect(found[name]!.data[i], name).toBeCloseTo(Number(value), 4);
});
