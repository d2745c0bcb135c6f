import type { Command } from "commander";

export function addGradients(program: Command): void {
  program
    .command("gradients")
    .description("which loss teaches which network, measured on a batch of drawn images")
    .option("--profile <name>", "small, paper or official", "paper")
    .option("--ablation <name>", "with one thing taken away (docs/method.md)")
    .option("--stage <name>", "pretraining, warm-up or adaptation", "adaptation")
    .option("--json", "sums of the gradients' magnitudes, as JSON")
    .action(async (options) => (await import("../gradients.js")).gradients(options));
}
