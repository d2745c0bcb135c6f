import { join } from "node:path";
import { print } from "../../platform/print.js";
import { commandLine } from "./commandLine.js";

/** Say what to run next, as it can be typed. */
export const printNext = (...words: string[]): void => print(`next: ${commandLine(words)}`);

/**
 * After a check of data sets: train on the first labelled one, adapt to the unlabelled; to the other labelled ones where all are, whose
 * labels are then not opened. Undefined where nothing is labelled.
 */
export function afterInspect(
  datasets: readonly { readonly spec: string; readonly labelled: boolean }[],
): string[] | undefined {
  const source = datasets.find(({ labelled }) => labelled);
  if (source === undefined) return undefined;
  const others = datasets.filter((one) => one !== source);
  const unlabelled = others.filter(({ labelled }) => !labelled);
  const targets = (unlabelled.length > 0 ? unlabelled : others).map(({ spec }) => spec);
  return [
    "train",
    "--source",
    source.spec,
    ...(targets.length > 0 ? ["--target", ...targets] : []),
    "--to",
    "runs/mine",
  ];
}

/** After a training: measure it where it was validated; without labelled images, γ-SSL is ready for use. */
export function afterTraining(run: string, validate: string | undefined, method: string): string[] {
  if (validate !== undefined) return ["evaluate", run, "--on", validate];
  return method === "gamma-ssl" ? ["export", run] : ["evaluate", run, "--on", "<labelled images>"];
}

/** After predictions: score them, where there are labels. */
export const afterPredicting = (to: string): string[] => [
  ...["score", "--labels", "<folder of labels>", "--predicted", join(to, "class")],
  ...["--uncertainty", join(to, "uncertainty"), "--classes", join(to, "classes.json")],
];
