import type { Command } from "commander";

export function addScore(program: Command): void {
  program
    .command("score")
    .description("score anybody's predictions: .npy arrays, or folders of PNG and .npy files")
    .requiredOption("--labels <path>", "true classes: .npy [N, H, W] or [H, W], or a folder of label PNGs")
    .requiredOption("--predicted <path>", "predicted classes, in the same form; files are matched by name")
    .requiredOption("--uncertainty <path>", "how unsure each pixel is: .npy, or 16-bit PNGs; larger means less sure")
    .option("--classes <n|file>", "how many classes, or a JSON list of their names")
    .option("--unknown <ids>", "label values that are no class of yours; any prediction there is wrong (default: 254)")
    .option("--void <ids>", "label values that mean not labelled (default: 255)")
    .option("--policy <name>", "paper, official or known: what happens to unknown and void pixels", "paper")
    .option("--threshold <u>", "also report at this threshold, chosen beforehand")
    .option("--dataset <name>", "name of the data set in the result; the labels' file name when left out")
    .option("--method <name>", "name of the method in the result; the predictions' file name when left out")
    .option("--to <folder>", "run folder to write the result into, with images for the report")
    .option("--images <folder>", "images to show in the report")
    .option("--examples <n>", "images to keep for the report", "24")
    .option(
      "--threads <n>",
      "threads to read and count with; results do not depend on it (default: all cores, at most 4)",
    )
    .option("--json", "print the result file and nothing else")
    .action(async (options) => (await import("../score.js")).score(options));
}
