import { nodeRuntime } from "../engine/runtime/node.js";
import { measurePlaces, measuringPlan as plan } from "../experiments/distances.js";
import { print, printJson } from "../platform/print.js";
import { wholeNumber } from "./wholeNumber.js";

/** Accuracies of the paper's network, trained on Cityscapes only, in London, the New Forest and Scotland. */
const PAPER: Readonly<Record<string, number>> = { town: 0.571, forest: 0.538, highland: 0.394 };

export async function scenesMeasure(options: { seed: string; threads: string; json?: true }): Promise<void> {
  const seed = wholeNumber("seed", options.seed, [0, 2 ** 31 - 1]);
  const threads = wholeNumber("threads", options.threads, [1, 64]);
  const say = options.json ? () => {} : print;
  const started = performance.now();
  say(`city: ${plan.trainingImages} images of ${plan.height} x ${plan.width}, ${plan.steps} steps of 8, seed ${seed}`);
  const results = await measurePlaces({
    runtime: nodeRuntime({ threads }),
    plan,
    seed,
    onStep(step, loss) {
      if (step % 100 === 0) say(`step ${step}/${plan.steps}  loss ${loss.toFixed(3)}`);
    },
  });
  if (options.json) {
    printJson({ seed, plan, places: results }, 1);
    return;
  }
  print("\nplace      accuracy  of city's  AUROC of max-softmax  the paper's place");
  const home = results[0]!.accuracy;
  for (const { place, accuracy, auroc } of results) {
    const cells = [accuracy.toFixed(3), (accuracy / home).toFixed(2), auroc?.toFixed(3) ?? "-", PAPER[place] ?? ""];
    print(`${place.padEnd(10)} ${cells.map((cell, i) => String(cell).padEnd([9, 10, 21, 0][i]!)).join(" ")}`);
  }
  print(`\n${plan.testImages} test images a place; ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
