import type { Command } from "commander";

export function addPredict(program: Command): void {
  program
    .command("predict")
    .description("look at images and videos with an exported model: classes, uncertainty, and what is certain of each")
    .argument("<model>", "file that gssl export wrote")
    .argument("<inputs...>", "images, folders of them, patterns such as 'drive/*.jpg', videos (with ffmpeg)")
    .requiredOption("--to <folder>", "where to write: class/, uncertainty/, overlay/, certain/ and predictions.json")
    .option(
      "--height <pixels|own>",
      "scale images to this height (default: that of training); own leaves them as they are",
    )
    .option("--threads <n>", "threads to compute with (default: all cores)")
    .option("--json", "print predictions.json and nothing else")
    .action(async (model, inputs, options) => (await import("../predict.js")).predict(model, inputs, options));
}
