import type { Command } from "commander";

export function addInspect(program: Command): void {
  program
    .command("inspect")
    .description("check data sets before anything is trained on them: what is in them, and what is wrong")
    .argument("<specs...>", 'data sets, e.g. "camvid:data/camvid?split=train" or "folder:frames" (docs/data.md)')
    .option("--to <folder>", "where to write the contact sheet", "runs/inspect")
    .option("--sheet <n>", "images of each data set on the contact sheet; 0 for none", "12")
    .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
    .option("--json", "print everything that was found as JSON and nothing else")
    .action(async (specs, options) => (await import("../inspect.js")).inspect(specs, options));
}
