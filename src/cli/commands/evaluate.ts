import type { Command } from "commander";

export function addEvaluate(program: Command): void {
  program
    .command("evaluate")
    .description("measure a trained run on labelled images: where is it wrong, and does it know?")
    .argument("<runs...>", "run folders of gssl train; baselines are those of the first")
    .requiredOption("--on <spec...>", "labelled data sets to measure on")
    .option("--methods <names>", "all, or methods joined by commas, see below; the quick ones when left out")
    .option("--select <how>", "choose settings of methods by: source-val, best-on-test or fixed (default: source-val)")
    .option("--source-val <spec>", "held-out labelled images of the source, to choose settings on")
    .option("--mcd-rates <shares>", "shares of channels that MC dropout drops, joined by commas (default: 0.2)")
    .option("--mcd-passes <counts>", "draws of MC dropout, joined by commas (default: 8)")
    .option("--mc-average <what>", "average prob or logit over draws and members (default: prob)")
    .option("--gmm-prior <how>", "classes of a Gaussian mixture count by their shares, or even (default: shares)")
    .option("--ensemble-memory <how>", "low: one member in memory at a time; or high (default: low)")
    .option("--policy <name>", "paper, official or known: what happens to unknown and void pixels", "paper")
    .option("--examples <n>", "images to keep for the report", "24")
    .option("--probabilities <folder>", "γ-SSL: write K + 1 class probabilities of each image (Eq. 4) there, as .npy")
    .option("--allow-seen", "measure even on images that the run was trained on")
    .option("--again", "measure and fit anew what an earlier call has finished")
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .option("--json", "print the results as JSON and nothing else")
    .action(async (runs, options) => (await import("../evaluate.js")).evaluate(runs, options));
}
