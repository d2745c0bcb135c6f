import { describe, expect, test } from "vitest";
import { evaluateOnce } from "./expectGradient.js";
import { distance, opCases } from "./torchOpCases.js";

describe("agrees with PyTorch, value and gradients, to 1e-4:", () => {
  test.each(opCases.map((one) => [one.name, one] as const))("%s", async (_, { outputs, feeds, wanted }) => {
    const results = await evaluateOnce(outputs, feeds);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(wanted).sort());
    for (const [key, value] of Object.entries(wanted)) {
      expect(results[key]!.shape, key).toEqual(value.shape);
      expect(distance(results[key]!, value, key), key).toBeLessThan(1e-4);
    }
  });
});
