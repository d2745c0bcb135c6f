import { print, printJson } from "../../platform/print.js";
import { command } from "../command.js";
import { usually, whole } from "../flags.js";
import { json, seed } from "../shared.js";

/** Accuracies of the paper's network, trained on Cityscapes only, in London, the New Forest and Scotland. */
const PAPER: Readonly<Record<string, number>> = { town: 0.571, forest: 0.538, highland: 0.394 };

export const scenesMeasure = command({
  name: "scenes measure",
  about: "train a narrow network on the drawn city and measure how far away the other places are",
  words: {},
  flags: {
    seed: usually(seed("seed of images and weights"), "0"),
    threads: usually(whole("<n>", [1, 64], "threads to compute with; results do not depend on it"), "2"),
    json,
  },
  async run({ seed, threads, json }, { library }) {
    const say = json ? () => {} : print;
    const started = performance.now();
    const { plan, places } = await library.measureScenes({
      seed,
      threads,
      onStep(step, steps, loss) {
        if (step % 100 === 0) say(`step ${step}/${steps}  loss ${loss.toFixed(3)}`);
      },
    });
    if (json) {
      printJson({ seed, plan, places }, 1);
      return;
    }
    print("\nplace      accuracy  of city's  AUROC of max-softmax  the paper's place");
    const home = places[0]!.accuracy;
    for (const { place, accuracy, auroc } of places) {
      const cells = [accuracy.toFixed(3), (accuracy / home).toFixed(2), auroc?.toFixed(3) ?? "-", PAPER[place] ?? ""];
      print(`${place.padEnd(10)} ${cells.map((cell, i) => String(cell).padEnd([9, 10, 21, 0][i]!)).join(" ")}`);
    }
    print(`\n${plan.testImages} test images a place; ${((performance.now() - started) / 1000).toFixed(0)} s`);
  },
});
