import { nodeRuntime } from "../../engine/runtime/node.js";
import { replayBundle } from "../../lab/train/nonFinite.js";

export async function replay(folder: string): Promise<void> {
  console.log(await replayBundle(folder, nodeRuntime()));
}
