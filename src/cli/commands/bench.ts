import type { Command } from "commander";

export function addBench(program: Command): void {
  program
    .command("bench")
    .description("how fast each method answers: the paper's Table 12 on this machine")
    .argument("<run>", "run folder of gssl train; baselines need not be trained")
    .option("--size <HxW>", "size of the image; the paper's would be 480x960", "256x512")
    .option("--rounds <n>", "times that each method answers, in turn with the others", "20")
    .option("--warm-ups <n>", "rounds before those that count", "3")
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--json", "print the times as JSON and nothing else")
    .action(async (run, options) => (await import("../bench.js")).bench(run, options));
}
