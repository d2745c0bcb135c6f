import type { Command } from "commander";

export function addEvaluate(program: Command): void {
  program
    .command("evaluate")
    .description("measure a trained run on labelled images: where is it wrong, and does it know?")
    .argument("<run>", "run folder of gssl train")
    .requiredOption("--on <spec...>", "labelled data sets to measure on")
    .option("--methods <names>", "uncertainty methods, joined by commas; all that the run has when left out")
    .option("--policy <name>", "paper, official or known: what happens to unknown and void pixels", "paper")
    .option("--examples <n>", "pictures to keep for the report", "24")
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .option("--json", "print the results as JSON and nothing else")
    .action(async (run, options) => (await import("../evaluate.js")).evaluate(run, options));
}
