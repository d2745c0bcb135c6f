import { expect, test } from "vitest";
import { scale } from "../engine/ops/elementwise.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { float32, floats } from "../engine/tensor/hostTensor.js";
import { WholeImages } from "./wholeImages.js";

test("images of many sizes are computed with a few sessions in memory, and none is left open", async () => {
  const node = nodeRuntime({ threads: 1 });
  let [opened, open, most] = [0, 0, 0];
  const runtime: Runtime = {
    ...node,
    async load(model, signature) {
      const program = await node.load(model, signature);
      opened++;
      most = Math.max(most, ++open);
      return {
        ...program,
        run: (...given) => program.run(...given),
        close: () => program.close().then(() => void open--),
      };
    },
  };
  const twice = new WholeImages(runtime, (images) => ({ doubled: scale(images, 2) }), {});
  for (let width = 1; width <= 40; width++) {
    const { doubled } = await twice.runOn(float32([1, 3, 1, width], new Float32Array(3 * width).fill(width)));
    expect(floats(doubled, "doubled")[0]).toBe(2 * width);
  }
  await twice.close();
  expect([opened, open]).toEqual([40, 0]);
  expect(most).toBeLessThanOrEqual(10);
});
