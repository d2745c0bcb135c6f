import * as ort from "onnxruntime-web";
import { describe, expect, test } from "vitest";
import { nearestMap, scaledLevels } from "../../data/images/scale.js";
import { constant, input, type Value } from "../graph/value.js";
import { writeModel } from "../onnx/writeModel.js";
import { nodeRuntime } from "../runtime/node.js";
import type { Program, Runtime } from "../runtime/runtime.js";
import { webRuntime } from "../runtime/web.js";
import { float32, floats, type HostTensor, hostTensor } from "../tensor/hostTensor.js";
import { random } from "../tensor/random.js";
import type { OpenType } from "../tensor/shape.js";
import { nearestPlaces, scaleToHeight } from "./dynamicScale.js";
import { gather } from "./gather.js";

ort.env.wasm.numThreads = 1;
const HEIGHT = 24;
const OPEN: OpenType["shape"] = [1, "height", "width", 3];

/** Noise: what a filter does to it cannot be mistaken for another's. */
function noise(height: number, width: number): HostTensor {
  const { uniform } = random("noise", height, width);
  return hostTensor(
    "uint8",
    [1, height, width, 3],
    Uint8Array.from({ length: height * width * 3 }, () => 255 * uniform()),
  );
}

function load(runtime: Runtime, y: Value, shape: OpenType["shape"]): Promise<Program> {
  return runtime.load(writeModel({ outputs: { y } }, { open: { image: OPEN, y: shape } }).bytes, {
    inputs: new Map([["image", { dtype: "uint8" as const, shape: OPEN }]]),
    outputs: new Map([["y", { dtype: "float32" as const, shape }]]),
  });
}

const largest = (values: Float32Array): number => values.reduce((most, value) => Math.max(most, value), 0);

const image = input("image", { dtype: "uint8", shape: [1, 30, 41, 3] });

/** Every other size, both sides larger, both smaller, whole and broken ratios, one pixel. */
const sizes = [
  [24, 31],
  [48, 64],
  [47, 65],
  [97, 24],
  [271, 480],
  [11, 13],
  [3, 50],
  [1, 1],
] as const;

describe.each([
  ["onnxruntime-node", nodeRuntime()],
  ["onnxruntime-web (wasm)", webRuntime(ort)],
] as const)("in %s,", (_, runtime) => {
  test("one model scales images of every size to its height as plain arithmetic does", async () => {
    const program = await load(runtime, scaleToHeight(image, HEIGHT), [1, 3, HEIGHT, "w"]);
    for (const [height, width] of sizes) {
      const shown = noise(height, width);
      const { y } = await program.run({ image: shown });
      const seen = { height: HEIGHT, width: Math.round((width * HEIGHT) / height) };
      const wanted = scaledLevels({ rgb: shown.data as Uint8Array, width, height }, seen);
      expect(y!.shape).toEqual([1, 3, HEIGHT, seen.width]);
      const pixels = HEIGHT * seen.width;
      const apart = floats(y, "y").map((level, i) =>
        Math.abs(level - wanted.rgb[(i % pixels) * 3 + Math.floor(i / pixels)]!),
      );
      // A thousandth of a level.
      expect(largest(apart)).toBeLessThan(1e-3);
    }
    await program.close();
  });

  test("maps come back to the size of an image, each pixel with the nearest one's value", async () => {
    const levels = scaleToHeight(image, HEIGHT);
    const red = gather(levels, constant(hostTensor("int64", [], BigInt64Array.of(0n))), 1);
    const rows = nearestPlaces(levels, 2, image, 1);
    const columns = nearestPlaces(levels, 3, image, 2);
    const program = await load(runtime, gather(gather(red, columns, 2), rows, 1), [1, "height", "width"]);
    for (const [height, width] of sizes) {
      const shown = noise(height, width);
      const { y } = await program.run({ image: shown });
      const seen = { height: HEIGHT, width: Math.round((width * HEIGHT) / height) };
      const scaled = scaledLevels({ rgb: shown.data as Uint8Array, width, height }, seen);
      const reds = Float32Array.from({ length: HEIGHT * seen.width }, (_pixel, i) => scaled.rgb[3 * i]!);
      const wanted = nearestMap(reds, seen, { height, width });
      expect(y!.shape).toEqual([1, height, width]);
      expect(largest(floats(y, "y").map((level, i) => Math.abs(level - wanted[i]!)))).toBeLessThan(1e-3);
    }
    await program.close();
  });
});

test("an image of that height is left as it is, to the bit", async () => {
  const program = await load(nodeRuntime(), scaleToHeight(image, HEIGHT), [1, 3, HEIGHT, "w"]);
  const shown = noise(HEIGHT, 31);
  const { y } = await program.run({ image: shown });
  await program.close();
  const planes = Float32Array.from({ length: 3 * HEIGHT * 31 }, (_, i) =>
    Number(shown.data[(i % (HEIGHT * 31)) * 3 + Math.floor(i / (HEIGHT * 31))]),
  );
  expect(y).toEqual(float32([1, 3, HEIGHT, 31], planes));
});

test("what is not an image of bytes is refused", () => {
  const levels = input("levels", { dtype: "float32", shape: [1, 30, 41, 3] });
  expect(() => scaleToHeight(levels, HEIGHT)).toThrow("has the wrong element type, wanted uint8");
});
