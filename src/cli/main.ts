#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { DataError } from "../data/images/dataError.js";
import { UserError } from "../platform/errors.js";
import { endWithReader, printNote } from "../platform/print.js";
import { addAblate } from "./commands/ablate.js";
import { addBench } from "./commands/bench.js";
import { addCompare } from "./commands/compare.js";
import { addDemo } from "./commands/demo.js";
import { addEvaluate } from "./commands/evaluate.js";
import { addExport } from "./commands/export.js";
import { addGradients } from "./commands/gradients.js";
import { addInspect } from "./commands/inspect.js";
import { addPredict } from "./commands/predict.js";
import { addReplay } from "./commands/replay.js";
import { addReport } from "./commands/report.js";
import { addScenes } from "./commands/scenes.js";
import { addScore } from "./commands/score.js";
import { addThreshold } from "./commands/threshold.js";
import { addTrain } from "./commands/train.js";

/** Exit codes: 0 done, 1 failed, 2 misused. */
const FAILED = 1;
const MISUSED = 2;

const program = new Command("gssl")
  .description("semantic segmentation that knows where it is wrong")
  .showHelpAfterError("(gssl --help lists the commands)")
  .exitOverride();

// Each file says what a command is called and takes; what it needs is loaded when it is called, so `--help` stays quick.
addDemo(program);
addTrain(program);
addEvaluate(program);
addAblate(program);
addThreshold(program);
addExport(program);
addPredict(program);
addReplay(program);
addScore(program);
addCompare(program);
addReport(program);
addInspect(program);
addGradients(program);
addScenes(program);
addBench(program);

// Methods take a while to load: only for the help of a command that takes their names.
const words = process.argv.slice(2);
if (words.some((word) => ["--help", "-h", "help"].includes(word)) && /^(evaluate|export)$/m.test(words.join("\n"))) {
  (await import("./methodHelp.js")).addMethodHelp(program);
}

endWithReader();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  else if (error instanceof UserError) {
    const code = error instanceof DataError ? `${error.code}: ` : "";
    const text = `gssl: ${code}${error.message}${error.hint === undefined ? "" : `\nhint: ${error.hint}`}`;
    printNote(text);
    process.exitCode = FAILED;
  } else throw error;
}
