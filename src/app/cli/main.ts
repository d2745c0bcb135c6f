#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { DataError } from "../../data/images/dataError.js";
import { UserError } from "../../errors.js";

/** Exit codes: 0 done, 1 failed, 2 misused. */
const FAILED = 1;
const MISUSED = 2;

const program = new Command("gssl")
  .description("semantic segmentation that knows where it is wrong")
  .showHelpAfterError("(gssl --help lists the commands)")
  .exitOverride();

// Commands load what they need when they are called: `--help` stays quick.
program
  .command("demo")
  .description("train a small network on drawn streets, then show it places it has never seen")
  .option("--to <folder>", "where to write the pictures", "runs/demo")
  .option("--steps <n>", "training steps", "300")
  .option("--seed <n>", "seed of pictures and weights", "0")
  .option("--threads <n>", "threads to compute with; results do not depend on it", "2")
  .action(async (options) => (await import("./demo.js")).demo(options));

program
  .command("inspect")
  .description("check data sets before anything is trained on them: what is in them, and what is wrong")
  .argument("<specs...>", 'data sets, e.g. "camvid:data/camvid?split=train" or "folder:frames" (docs/data.md)')
  .option("--to <folder>", "where to write the contact sheet", "runs/inspect")
  .option("--sheet <n>", "pictures of each data set on the contact sheet; 0 for none", "12")
  .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
  .option("--json", "print everything that was found as JSON and nothing else")
  .action(async (specs, options) => (await import("./inspect.js")).inspect(specs, options));

const scenes = program.command("scenes").description("the driving world that is drawn by the program");
scenes
  .command("preview")
  .description("write a contact sheet of each place: pictures, and their labels beneath")
  .argument("[places...]", "city, town, forest, highland, wild; all when none is named")
  .option("--to <folder>", "where to write the sheets", "runs/scenes")
  .option("--seed <n>", "seed of the pictures", "0")
  .action(async (places, options) => (await import("./scenesPreview.js")).scenesPreview(places, options));

scenes
  .command("measure")
  .description("train a narrow network on the drawn city and measure how far away the other places are")
  .option("--seed <n>", "seed of pictures and weights", "0")
  .option("--threads <n>", "threads to compute with; results do not depend on it", "2")
  .option("--json", "print the results as JSON and nothing else")
  .action(async (options) => (await import("./scenesMeasure.js")).scenesMeasure(options));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  else if (error instanceof UserError) {
    const code = error instanceof DataError ? `${error.code}: ` : "";
    console.error(`gssl: ${code}${error.message}${error.hint === undefined ? "" : `\nhint: ${error.hint}`}`);
    process.exitCode = FAILED;
  } else throw error;
}
