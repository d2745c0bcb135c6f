import type { Command } from "commander";

export function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "one ONNX file from bytes to class, similarity and certain (a baseline: class and uncertainty), held to the trained network, with a card beside it",
    )
    .argument("<run>", "run folder of gssl train --method gamma-ssl; for baselines, of any training")
    .option("--method <name>", "gamma-ssl, or a baseline that needs one pass of one network, see below", "gamma-ssl")
    .option("--to <file>", "where to write it; model.onnx, or model.<baseline>.onnx, in the run folder when left out")
    .option("--weights <which>", "last, or the stage whose weights to take, e.g. 1-pretraining", "last")
    .option("--threshold <file>", "γ: of training, or a file that gssl threshold wrote", "training")
    .option("--fp16", "also a file with weights in half precision, half the size")
    .option("--int8", "also a file that computes in bytes, a quarter of the size")
    .option("--probabilities", "one more output: K + 1 class probabilities of each pixel, the last for none of them")
    .option("--calibrate <spec>", "images to find the range of bytes on; the source when left out")
    .option("--on <spec>", "labelled images to measure what --fp16 and --int8 lose; the source when left out")
    .option("--source-val <spec>", "baselines: held-out labelled images of the source, to choose settings on")
    .option(
      "--gmm-prior <how>",
      "baselines: classes of a Gaussian mixture count by their shares, or even (default: shares)",
    )
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .option("--json", "print what was written as JSON and nothing else")
    .action(async (run, options) => (await import("../export.js")).exportCommand(run, options));
}
