import type { Command } from "commander";

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("the whole way on drawn streets: γ-SSL from a pre-trained network, baselines, a report and a model")
    .option("--to <folder>", "run folder", "runs/demo")
    .option("--from-scratch", "pre-train a network first, for minutes, instead of using the one in the package")
    .option("--seed <n>", "seed of the training", "0")
    .option("--threads <n>", "threads to compute with; results do not depend on it", "2")
    .option("--cache <folder>", "where drawn scenes are kept (default: ~/.cache/gamma-ssl)")
    .action(async (options) => (await import("../demo.js")).demo(options));
}
