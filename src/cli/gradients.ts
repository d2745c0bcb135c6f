import { join } from "node:path";
import { nodeRuntime } from "../engine/runtime/node.js";
import { measuredGradients } from "../experiments/gradients.js";
import { printGradientTable } from "../methods/gamma-ssl/gradientTable.js";
import { cacheFolder } from "../platform/cacheFolder.js";
import { UserError } from "../platform/errors.js";
import { print, printJson } from "../platform/print.js";
import { oneOf } from "./oneOf.js";

export async function gradients(options: {
  profile: string;
  ablation?: string;
  stage: string;
  json?: true;
}): Promise<void> {
  const { profile, ablation = null } = options;
  const stage = oneOf("stage", ["pretraining", "warm-up", "adaptation"] as const, options.stage);
  const table = await measuredGradients(
    nodeRuntime({ optimise: false }),
    { profile, ablation, stage },
    { cache: join(cacheFolder(), "scenes") },
  );
  if (table === null) {
    throw new UserError(`${ablation ?? profile} has no stage "${stage}"`, { hint: "see its pretraining" });
  }
  if (options.json) printJson(table, 1);
  else print(printGradientTable(table));
}
