import { print } from "../../platform/print.js";
import { command } from "../terminal/command.js";
import { commandLine } from "../terminal/commandLine.js";
import { choices, text, toggle, usually } from "../terminal/flags.js";
import { progressOn } from "../terminal/progress.js";
import { cache, seed, threads } from "../terminal/shared.js";
import { screenOn, showsTrainings } from "../terminal/trainStatus.js";

export const reproduce = command({
  name: "reproduce",
  about: "every table and figure of the paper, on drawn places or on the images of a plan; a second run reuses work",
  words: { plan: text("[plan]", "domains and settings as JSON (docs/reproduce.md); drawn places when left out") },
  flags: {
    to: usually(text("<folder>", "folder of all runs, tables and figures"), "runs/reproduce"),
    skip: choices("<parts>", ({ paperParts }) => paperParts, "what to leave out: ablations, prototypes, timing"),
    seed: usually(seed("seed of the drawn places' trainings"), "0"),
    dryRun: toggle("list the trainings, and run none"),
    threads,
    cache,
  },
  async run({ plan: path, seed, dryRun, ...options }, { library, signal }) {
    const plan = path === undefined ? library.scenesPlan(seed) : await library.readPlan(path);
    if (dryRun) {
      const { trainings } = library.outlineReproduction(plan, options);
      const steps = trainings.reduce((sum, one) => sum + one.steps, 0);
      for (const one of trainings) print(`${String(one.steps).padStart(8)} steps  ${one.name}`);
      print(`${String(steps).padStart(8)} steps in ${trainings.length} trainings`);
      return;
    }
    const screen = screenOn(process.stderr);
    const { page, timing } = await library.reproduce(plan, {
      ...options,
      signal,
      command: commandLine(),
      onProgress: progressOn(screen),
      onNote: screen.line,
      onTraining: showsTrainings(screen),
    });
    screen.passing("");
    print(page);
    if (timing !== null) print(timing);
  },
});
