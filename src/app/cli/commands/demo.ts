import type { Command } from "commander";

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("train a small network on drawn streets, then show it places it has never seen")
    .option("--to <folder>", "where to write the pictures", "runs/demo")
    .option("--steps <n>", "training steps", "300")
    .option("--seed <n>", "seed of pictures and weights", "0")
    .option("--threads <n>", "threads to compute with; results do not depend on it", "2")
    .action(async (options) => (await import("../demo.js")).demo(options));
}
