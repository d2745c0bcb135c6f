import { expect, test } from "vitest";
import type { Device } from "../../platform/watching.js";
import { openDevice } from "./device.js";
import { deviceTest } from "./deviceTest.js";
import { nodeRuntime } from "./node.js";
import type { Runtime } from "./runtime.js";

test("a device that ONNX Runtime does not have here is refused, with what it has and the cure", async () => {
  const absent = process.platform === "win32" ? "coreml" : "dml";
  await expect(openDevice({ device: absent })).rejects.toMatchObject({
    message: expect.stringMatching(
      new RegExp(`^--device ${absent}: ONNX Runtime has no such execution provider here; it has cpu`),
    ),
    hint: expect.stringContaining("elsewhere try --device webgpu"),
  });
  await expect(openDevice({ device: "tpu" as Device })).rejects.toThrow('--device is "tpu", wanted one of cpu, webgpu');
});

test("the CPU is opened without a test; auto gives something that computes", async () => {
  expect((await openDevice()).device).toBe("cpu");
  expect(["cpu", "webgpu", "cuda"]).toContain((await openDevice({ device: "auto" })).device);
});

/** The CPU, with one result changed on the way. */
function crooked(output: string): Runtime {
  const right = nodeRuntime();
  return {
    device: "crooked",
    async load(model, signature) {
      const program = await right.load(model, signature);
      return {
        close: () => program.close(),
        async run(feeds) {
          const found = await program.run(feeds);
          if (found[output] !== undefined) (found[output].data as Float32Array).fill(Number.NaN, 0, 1);
          return found;
        },
      };
    },
  };
}

test("a device whose result or gradient is wrong in one element is found out, with the op named", async () => {
  const cpu = nodeRuntime();
  expect(await deviceTest(nodeRuntime({ threads: 2 }), cpu)).toEqual([]);
  expect(await deviceTest(crooked("top-k: value"), cpu)).toEqual(["top-k"]);
  expect(await deviceTest(crooked("strided convolution: gradient 2"), cpu)).toEqual(["strided convolution"]);
});

test("without the CPU's own kernels the tested ops come out the same", async () => {
  const cpu = nodeRuntime();
  expect(await deviceTest({ ...cpu, portable: true }, cpu)).toEqual([]);
});
