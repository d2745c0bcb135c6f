import { expect, test } from "vitest";
import { selfTest } from "../engine/runtime/deviceTest.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { UserError } from "../platform/errors.js";
import { doctor, type Surroundings } from "./doctor.js";

const sound: Surroundings = {
  node: "v20.19.0",
  ffmpeg: () => "ffmpeg version 6.1",
  sharp: async () => "0.35.5",
  onnxRuntime: async () => ({ version: "1.30.0", providers: ["cpu"] }),
  selfTest: async () => [],
  openDevice: async () => {},
  freeBytes: async () => 5e10,
};
const stateOf = async (changes: Partial<Surroundings>, what: string) =>
  (await doctor({ ...sound, ...changes })).find((finding) => finding.what === what);
const fail = async (): Promise<never> => {
  throw new Error("libonnxruntime.so.1: cannot open shared object file\nat load");
};

test("this machine, which runs the tests, is fine but perhaps for ffmpeg", async () => {
  const findings = await doctor();
  expect(findings.map(({ what }) => what).filter((what) => !what.startsWith("device "))).toEqual([
    ...["gamma-ssl", "Node", "processor", "memory", "disk here", "disk of the cache"],
    ...["onnxruntime", "self-test", "sharp", "ffmpeg"],
  ]);
  expect(findings.filter(({ state }) => state === "wrong")).toEqual([]);
  expect(findings.find(({ what }) => what === "onnxruntime")!.found).toMatch(/^1\.\d+\.\d+; execution providers: cpu/);
});

test("what is missing or broken is said, each with its cure; the rest is looked at all the same", async () => {
  expect(await stateOf({ node: "v20.18.3" }, "Node")).toMatchObject({
    state: "wrong",
    cure: "install Node 20.19 or later",
  });
  expect(await stateOf({ node: "v22.1.0" }, "Node")).toMatchObject({ state: "fine" });
  expect(await stateOf({ ffmpeg: () => null }, "ffmpeg")).toMatchObject({
    state: "missing",
    cure: expect.stringContaining("apt install ffmpeg"),
  });
  expect(await stateOf({ freeBytes: async () => 5e8 }, "disk here")).toMatchObject({
    state: "wrong",
    found: expect.stringMatching(/^0\.5 GB free in /),
  });
  expect(await stateOf({ selfTest: async () => ["dw"] }, "self-test")).toMatchObject({
    state: "wrong",
    found: "of a convolution dw came out wrong",
  });
  const broken = await doctor({ ...sound, onnxRuntime: fail });
  expect(broken.find(({ what }) => what === "onnxruntime")).toEqual({
    what: "onnxruntime",
    found: "libonnxruntime.so.1: cannot open shared object file",
    state: "wrong",
    cure: expect.stringContaining("npm rebuild onnxruntime-node"),
  });
  expect(broken.at(-1)!.what).toBe("ffmpeg");
});

test("every device that ONNX Runtime knows is tried, and one that fails is no reason not to compute on the CPU", async () => {
  const onnxRuntime = async () => ({ version: "1.30.0", providers: ["cpu", "webgpu", "cuda", "tensorrt"] });
  const openDevice = async (name: string): Promise<void> => {
    if (name === "cuda") throw new UserError("--device cuda: no driver", { hint: "install it" });
  };
  const findings = await doctor({ ...sound, onnxRuntime, openDevice });
  expect(findings.filter(({ what }) => what.startsWith("device "))).toEqual([
    { what: "device webgpu", found: expect.stringContaining("self-test passed"), state: "fine" },
    { what: "device cuda", found: "no driver", state: "missing", cure: "install it" },
  ]);
});

test("the self-test finds a runtime whose gradients are wrong", async () => {
  const right = nodeRuntime();
  const crooked: Runtime = {
    device: "cpu",
    async load(bytes, signature) {
      const program = await right.load(bytes, signature);
      return {
        close: () => program.close(),
        async run(feeds, into) {
          const found = await program.run(feeds, into);
          (found.dw!.data as Float32Array)[2]! += 1;
          return found;
        },
      };
    },
  };
  expect(await selfTest(right)).toEqual([]);
  expect(await selfTest(crooked)).toEqual(["dw"]);
});
