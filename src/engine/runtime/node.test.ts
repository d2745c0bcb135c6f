import { expect, test } from "vitest";
import { runtimeContract } from "../../../test/runtimeContract.js";
import { nodeRuntime } from "./node.js";

runtimeContract("Node", async () => nodeRuntime({ threads: 2 }));

test("an execution provider that is not there is refused by name", async () => {
  await expect(
    nodeRuntime({ device: "no-such-device" }).load(new Uint8Array(), { inputs: new Map(), outputs: new Map() }),
  ).rejects.toThrow('ONNX Runtime has no execution provider "no-such-device" here');
});
