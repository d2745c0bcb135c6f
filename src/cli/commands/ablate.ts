import type { Command } from "commander";

export function addAblate(program: Command): void {
  program
    .command("ablate")
    .description(
      "γ-SSL and ablations of it from one shared pre-training, over several seeds; a second run reuses finished work",
    )
    .argument("<config>", "settings of the training as JSON, as gssl train --config takes them")
    .requiredOption("--on <spec...>", "labelled images to measure on")
    .option("--ablations <names>", "joined by commas (docs/method.md)", "no-filter,no-regl,sym-non-param")
    .option("--seeds <n>", "trainings of each, with consecutive seeds", "3")
    .option(
      "--methods <names>",
      "baselines on the pre-trained network: all, or names joined by commas",
      "max-softmax,no-ssl",
    )
    .option("--source-val <spec>", "held-out labelled images of the source, to choose settings of baselines on")
    .option("--weights <file>", "weights to begin with (.safetensors or .pth)")
    .option("--to <folder>", "folder of the study", "runs/ablate")
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .action(async (config, options) => (await import("../ablate.js")).ablate(config, options));
}
