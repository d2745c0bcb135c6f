import { nodeRuntime } from "../engine/runtime/node.js";
import { replayBundle } from "../training/nonFinite.js";

export async function replay(folder: string): Promise<void> {
  console.log(await replayBundle(folder, nodeRuntime()));
}
