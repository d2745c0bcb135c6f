#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { DataError } from "../../data/images/dataError.js";
import { UserError } from "../../errors.js";
import { printable } from "../../printable.js";

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
  .command("train")
  .description("train a network; run the same command again to go on where it was left or killed")
  .option("--method <name>", "supervised or gamma-ssl (default: supervised)")
  .option("--source <spec>", "labelled images to learn from, e.g. camvid:data/camvid?sequence=day")
  .option("--target <spec...>", "gamma-ssl: unlabelled images; several in turn make a curriculum")
  .option("--profile <name>", "gamma-ssl: small, paper or official (default: small)")
  .option("--ablation <name>", "gamma-ssl: take one thing away, e.g. no-filter (docs/method.md)")
  .option("--validate <spec>", "labelled images to measure on now and then")
  .option("--to <folder>", "run folder", "runs/train")
  .option("--config <file>", "settings as JSON; options given here win")
  .option("--weights <file>", "weights to begin with (.safetensors or .pth)")
  .option("--steps <n>", "training steps")
  .option("--batch <n>", "images in a batch")
  .option("--height <pixels>", "height that images are scaled to")
  .option("--crop <HxW>", "size of the training views, e.g. 128x256")
  .option("--learning-rate <x>", "learning rate at the start")
  .option("--encoder-factor <x>", "multiplies the encoder's learning rate")
  .option("--clip-norm <x>", "joint length beyond which gradients are scaled down")
  .option("--width <x>", "multiplies the encoder's channels")
  .option("--features <n>", "channels of the penultimate features")
  .option("--output-stride <n>", "8 or 16")
  .option("--seed <n>", "decides everything random")
  .option("--threads <n>", "threads to compute with (default: all cores); results do not depend on it")
  .option("--workers <n>", "threads that prepare batches; results do not depend on it", "1")
  .option("--checkpoint-every <n>", "steps between checkpoints", "100")
  .option("--validate-every <n>", "steps between validations", "500")
  .option("--fresh", "begin again: removes what an earlier run left in the folder")
  .option("--print-config", "print every setting, and stop")
  .option("--cache <folder>", "where drawn scenes and remembered checks are kept (default: ~/.cache/gamma-ssl)")
  .option("--json", "events as JSON lines on standard output")
  .action(async (options) => (await import("./train.js")).trainCommand(options));

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
  .action(async (run, options) => (await import("./evaluate.js")).evaluate(run, options));

program
  .command("replay")
  .description("run a step that gave a NaN once more, and say which node made it")
  .argument("<folder>", "a folder called non-finite-step-N in a run folder")
  .action(async (folder) => (await import("./replay.js")).replay(folder));

program
  .command("score")
  .description("score anybody's predictions: .npy arrays, or folders of PNG and .npy files")
  .requiredOption("--labels <path>", "true classes: .npy [N, H, W] or [H, W], or a folder of label PNGs")
  .requiredOption("--predicted <path>", "predicted classes, in the same form; files are matched by name")
  .requiredOption("--uncertainty <path>", "how unsure each pixel is: .npy, or 16-bit PNGs; larger means less sure")
  .option("--classes <n|file>", "how many classes, or a JSON list of their names")
  .option("--unknown <ids>", "label values that are no class of yours; any prediction there is wrong", "254")
  .option("--void <ids>", "label values that mean not labelled", "255")
  .option("--policy <name>", "paper, official or known: what happens to unknown and void pixels", "paper")
  .option("--threshold <u>", "also report at this threshold, chosen beforehand")
  .option("--dataset <name>", "name of the data set in the result; the labels' file name when left out")
  .option("--method <name>", "name of the method in the result; the predictions' file name when left out")
  .option("--to <folder>", "run folder to write the result into, with pictures for the report")
  .option("--images <folder>", "pictures to show in the report")
  .option("--examples <n>", "pictures to keep for the report", "24")
  .option("--json", "print the result file and nothing else")
  .action(async (options) => (await import("./score.js")).score(options));

program
  .command("compare")
  .description("a table of results, best in bold")
  .argument("<paths...>", "run folders or result files")
  .option("--json", "print the table as JSON and nothing else")
  .option("--csv", "print it as comma-separated values")
  .option("--latex", "print it as LaTeX (booktabs, ulem)")
  .action(async (paths, options) => (await import("./compare.js")).compare(paths, options));

program
  .command("report")
  .description("one HTML file with tables, curves and pictures that follow a threshold; opens offline")
  .argument("<runs...>", "run folders")
  .option("--to <file>", "where to write it; report.html in the first run folder when left out")
  .action(async (runs, options) => (await import("./report.js")).report(runs, options));

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
    const text = `gssl: ${code}${error.message}${error.hint === undefined ? "" : `\nhint: ${error.hint}`}`;
    console.error(text.split("\n").map(printable).join("\n"));
    process.exitCode = FAILED;
  } else throw error;
}
