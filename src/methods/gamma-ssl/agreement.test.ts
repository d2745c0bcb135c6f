import fc from "fast-check";
import { expect, test } from "vitest";
import { input } from "../../engine/graph/value.js";
import { compile } from "../../engine/runtime/compile.js";
import { nodeRuntime } from "../../engine/runtime/node.js";
import { floats, hostTensor, int64 } from "../../engine/tensor/hostTensor.js";
import { agreement } from "./agreement.js";

const shape = [1, 3, 4];
const [CLASSES, COUNT] = [3, 12];

test("T-8: shares by class, F1 and accuracy are those of the plain loop, for any masks", async () => {
  const measured = agreement(
    {
      predicted: input("mask.predicted", { dtype: "int64", shape }),
      certain: input("mask.certain", { dtype: "bool", shape }),
      consistent: input("mask.consistent", { dtype: "bool", shape }),
      valid: input("mask.valid", { dtype: "bool", shape }),
    },
    CLASSES,
  );
  const program = await compile(nodeRuntime(), { outputs: { ...measured } });
  const pixel = fc.record({
    predicted: fc.nat(CLASSES - 1),
    certain: fc.boolean(),
    consistent: fc.boolean(),
    valid: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(pixel, { minLength: COUNT, maxLength: COUNT }), async (pixels) => {
      const bits = (key: "certain" | "consistent" | "valid") =>
        hostTensor(
          "bool",
          shape,
          Uint8Array.from(pixels, (one) => Number(one[key])),
        );
      const result = await program.run({
        "mask.predicted": int64(
          shape,
          pixels.map((one) => one.predicted),
        ),
        "mask.certain": bits("certain"),
        "mask.consistent": bits("consistent"),
        "mask.valid": bits("valid"),
      });
      const valid = pixels.filter((one) => one.valid);
      type Test = (one: (typeof pixels)[number]) => boolean;
      const share = (part: Test, whole: Test = () => true): number =>
        valid.filter((one) => part(one) && whole(one)).length / Math.max(1, valid.filter(whole).length);
      const classes = Array.from({ length: CLASSES }, (_, id) => id);
      const expected: Record<keyof typeof measured, number[]> = {
        certain: [share((one) => one.certain)],
        consistent: [share((one) => one.consistent)],
        certainByClass: classes.map((id) =>
          share(
            (one) => one.certain,
            (one) => one.predicted === id,
          ),
        ),
        consistentByClass: classes.map((id) =>
          share(
            (one) => one.consistent,
            (one) => one.predicted === id,
          ),
        ),
        predictedByClass: classes.map((id) => share((one) => one.predicted === id)),
        accuracy: [share((one) => one.certain === one.consistent)],
        f1: [f1(valid)],
      };
      for (const [name, values] of Object.entries(expected)) {
        values.forEach((wanted, i) => {
          expect(floats(result[name], name)[i], name).toBeCloseTo(wanted, 5);
        });
      }
    }),
    { numRuns: 100, seed: 3 },
  );
  await program.close();
});

function f1(pixels: readonly { certain: boolean; consistent: boolean }[]): number {
  const both = pixels.filter((one) => one.certain && one.consistent).length;
  const either = pixels.filter((one) => one.certain).length + pixels.filter((one) => one.consistent).length;
  return either === 0 ? 0 : (2 * both) / either;
}
