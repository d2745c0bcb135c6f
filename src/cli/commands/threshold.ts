import type { Command } from "commander";

export function addThreshold(program: Command): void {
  program
    .command("threshold")
    .description("solve for γ again on fresh unlabelled images: as many certain pixels as two views agree on")
    .argument("<run>", "run folder of gssl train --method gamma-ssl")
    .requiredOption("--images <spec>", "images of the place it is for; labels beside them are not opened")
    .option("--share <x>", "instead, the γ that leaves this share of all pixels certain")
    .option("--views <n>", "pairs of views of each image", "4")
    .option("--seed <n>", "decides the views", "0")
    .option("--labels", "afterwards, hold γ against the labels of the same images")
    .option("--weights <which>", "last, or the stage whose weights to take, e.g. 1-pretraining", "last")
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .option("--json", "print the threshold file and nothing else")
    .action(async (run, options) => (await import("../threshold.js")).threshold(run, options));
}
