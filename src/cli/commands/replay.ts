import type { Command } from "commander";

export function addReplay(program: Command): void {
  program
    .command("replay")
    .description("run a step that gave a NaN once more, and say which node made it")
    .argument("<folder>", "a folder called non-finite-step-N in a run folder")
    .action(async (folder) => (await import("../replay.js")).replay(folder));
}
