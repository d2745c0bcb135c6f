import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../src/engine/runtime/compile.js";
import { distance, opCases } from "../torchOpCases.js";
import { onSoftwareGpu, RemoteRuntime } from "./softwareGpu.js";

describe.skipIf(onSoftwareGpu.missing)(`${onSoftwareGpu.title}, agrees with PyTorch to 1e-3:`, () => {
  let runtime: RemoteRuntime;
  beforeAll(() => {
    runtime = new RemoteRuntime();
  });
  afterAll(() => runtime.end());

  test.each(opCases.map((one) => [one.name, one] as const))("%s", async (_, { outputs, feeds, wanted }) => {
    const program = await compile(runtime, { outputs });
    const results = await program.run(feeds).finally(() => program.close());
    for (const [key, value] of Object.entries(wanted)) {
      expect(results[key]!.shape, key).toEqual(value.shape);
      expect(distance(results[key]!, value, key), key).toBeLessThan(1e-3);
    }
  });
});
