import { Command } from "commander";
import { ablate } from "./commands/ablate.js";
import { bench } from "./commands/bench.js";
import { compare } from "./commands/compare.js";
import { demo } from "./commands/demo.js";
import { doctor } from "./commands/doctor.js";
import { evaluate } from "./commands/evaluate.js";
import { exportModel } from "./commands/export.js";
import { gradients } from "./commands/gradients.js";
import { inspect } from "./commands/inspect.js";
import { merge } from "./commands/merge.js";
import { predict } from "./commands/predict.js";
import { replay } from "./commands/replay.js";
import { report } from "./commands/report.js";
import { reproduce } from "./commands/reproduce.js";
import { scenesPreview } from "./commands/scenesPreview.js";
import { score } from "./commands/score.js";
import { select } from "./commands/select.js";
import { serve } from "./commands/serve.js";
import { studyPaper } from "./commands/studyPaper.js";
import { studyShift } from "./commands/studyShift.js";
import { studyThreshold } from "./commands/studyThreshold.js";
import { studyTransfer } from "./commands/studyTransfer.js";
import { threshold } from "./commands/threshold.js";
import { train } from "./commands/train.js";
import { watch } from "./commands/watch.js";

/** Every command, in the order of `gssl --help`. */
export const commands = [
  ...[demo, train, watch, evaluate, ablate, threshold, exportModel, predict, select, merge, serve],
  ...[replay, score, compare, report, studyThreshold, studyTransfer, studyShift, studyPaper, reproduce],
  ...[inspect, gradients, scenesPreview, bench, doctor],
];

/** Groups, of which commands of two words are: they have no action of their own. */
const groups: Readonly<Record<string, string>> = {
  study: "the paper's studies of thresholds and shifts, and its numbers, from finished results",
  scenes: "the driving world that is drawn by the program",
};

/** The command line. */
export function commandLineProgram(version: string): Command {
  const program = new Command("gssl")
    .description("semantic segmentation that knows where it is wrong")
    .version(version, "--version", "print the version")
    .showHelpAfterError("(gssl --help lists the commands)")
    .exitOverride();
  for (const one of commands) {
    const group = one.name.split(" ")[0]!;
    if (group !== one.name && !program.commands.some((made) => made.name() === group)) {
      program.command(group).description(groups[group]!);
    }
    one.addTo(program);
  }
  return program;
}
