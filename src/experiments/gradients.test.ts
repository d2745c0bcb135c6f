import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeRuntime } from "../engine/runtime/node.js";
import { printGradientTable } from "../methods/gamma-ssl/gradientTable.js";
import { measuredGradients } from "./gradients.js";

test("L-12: the table on drawn images is the paper's; a run without a second stage has none of it", async () => {
  const cache = await mkdtemp(join(tmpdir(), "gradients-"));
  try {
    const choice = { profile: "paper", ablation: null, stage: "adaptation" } as const;
    const table = await measuredGradients(nodeRuntime({ optimise: false }), choice, { cache });
    expect(printGradientTable(table!).split("\n")).toEqual([
      "loss         E    f_ψ  g_ρ",
      "supervised   ✓    ✓    –",
      "consistency  ✓    –    ✓",
      "uniformity   ✓    –    ✓",
      "prototype    ✓    –    ✓",
    ]);
    const none = { ...choice, ablation: "no-ssl" };
    expect(await measuredGradients(nodeRuntime({ optimise: false }), none, { cache })).toBeNull();
  } finally {
    await rm(cache, { recursive: true });
  }
});
