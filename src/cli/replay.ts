import { nodeRuntime } from "../engine/runtime/node.js";
import { print } from "../platform/print.js";
import { replayBundle } from "../training/nonFinite.js";

export async function replay(folder: string): Promise<void> {
  print(await replayBundle(folder, nodeRuntime()));
}
