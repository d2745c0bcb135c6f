import { Command as Commander } from "commander";
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
import { runs } from "./commands/runs.js";
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
import { misuse } from "./misuse.js";
import type { Command } from "./terminal/command.js";

/** Every command with what it is for, in the order of `gssl --help`. */
const listed: Readonly<Record<string, readonly (readonly [Command, summary: string])[]>> = {
  "Start:": [
    [demo, "the whole way on drawn streets, in a few minutes"],
    [doctor, "what this machine has, and a self-test"],
    [inspect, "check data sets before training on them"],
  ],
  "Train:": [
    [train, "train a network, or continue where it stopped"],
    [watch, "a page that shows how trainings go"],
    [runs, "list runs: how far each is"],
    [replay, "find what made a step NaN"],
  ],
  "Measure:": [
    [evaluate, "where are runs wrong, and do they know?"],
    [compare, "a table of results"],
    [report, "tables, curves and images in one HTML file"],
    [score, "score the predictions of any other program"],
  ],
  "Deploy:": [
    [threshold, "solve γ for another place, without labels"],
    [exportModel, "write one ONNX file, checked against the run"],
    [predict, "segment images, videos and robot logs"],
    [serve, "answer over HTTP, with a page"],
    [select, "choose images to label"],
    [merge, "add labelled images to a data set"],
  ],
  "Study:": [
    [ablate, "γ-SSL without parts of it, over several seeds"],
    [studyThreshold, "how many labels a threshold takes (Fig. 6)"],
    [studyTransfer, "thresholds in other domains (Table 11)"],
    [studyShift, "each measure from domain to domain (Table 10)"],
    [studyPaper, "the paper's numbers beside those of runs"],
    [reproduce, "every table and figure of the paper"],
  ],
  "Tools:": [
    [bench, "how fast each method is on this machine"],
    [gradients, "which loss teaches which network"],
    [scenesPreview, "a contact sheet of the drawn places"],
  ],
};

export const commands = Object.values(listed).flatMap((group) => group.map(([one]) => one));

/** Commands of two words are below these, which have no action of their own. */
const parents: Readonly<Record<string, string>> = {
  study: "thresholds, shifts, and the paper's numbers",
  scenes: "the drawn driving world",
};

const EXAMPLES = `
Examples:
  gssl demo
  gssl train --source labelled --target frames --to runs/mine

gssl <command> --help says more of each; docs/ is the manual.`;

/** The command line. Whatever is refused is a UserError. */
export function commandLineProgram(version: string): Commander {
  const program = new Commander("gssl")
    .usage("<command> [flags]")
    .description("Semantic segmentation that knows where it is wrong.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .configureOutput({ outputError: () => {} })
    .addHelpText("after", EXAMPLES);
  for (const [heading, group] of Object.entries(listed)) {
    program.commandsGroup(heading);
    for (const [one, summary] of group) {
      const parent = one.name.split(" ")[0]!;
      if (parent !== one.name && !program.commands.some((made) => made.name() === parent)) {
        program.command(parent).description(parents[parent]!);
      }
      one.addTo(program).summary(summary);
    }
  }
  for (const made of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
    made.exitOverride((error) => {
      throw misuse(error, made);
    });
  }
  return program;
}
