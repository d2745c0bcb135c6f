import { describe, expect, test } from "vitest";
import { distance, opCases } from "../../../test/torchOpCases.js";
import { nodesOf } from "../graph/graph.js";
import { compile } from "./compile.js";
import { nodeRuntime } from "./node.js";
import { portable } from "./portable.js";

const runtime = nodeRuntime();

describe("without what only the CPU has, still agrees with PyTorch to 1e-4:", () => {
  const concerned = opCases.filter(({ name }) => /^(batch_norm|max_pool)\//.test(name));
  test.each(concerned.map((one) => [one.name, one] as const))("%s", async (_, { outputs, feeds, wanted }) => {
    const graph = portable({ outputs });
    expect(nodesOf(graph).map(({ opType }) => opType)).not.toContain("AddAt");
    expect(nodesOf(graph).map(({ opType }) => opType)).not.toContain("BatchNormalization");
    const program = await compile(runtime, graph);
    const results = await program.run(feeds).finally(() => program.close());
    for (const [key, value] of Object.entries(wanted)) {
      expect(distance(results[key]!, value, key), key).toBeLessThan(1e-4);
    }
  });
});
