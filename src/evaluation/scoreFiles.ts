import { availableParallelism } from "node:os";
import { basename, extname } from "node:path";
import { environment } from "../platform/environment.js";
import { readClasses } from "./classNames.js";
import type { ResultFile } from "./results/resultFile.js";
import { type PolicyName, resultOf } from "./results/resultOf.js";
import { writeResult } from "./results/writeResult.js";
import { score } from "./score.js";

/** Anybody's predictions on disk, and what their numbers mean. */
export interface ScoreOptions {
  /** True classes: .npy [N, H, W] or [H, W], a .png, or a folder of them. */
  readonly labels: string;
  /** Predicted classes, in the same form; files are matched by name. */
  readonly predicted: string;
  /** Uncertainty of each pixel: .npy, or 16-bit PNGs; larger is less certain. */
  readonly uncertainty: string;
  /** How many classes, or a JSON file of their names; as many as the labels have when left out. */
  readonly classes?: string | undefined;
  /** Label values that are no class of the network; any prediction there is wrong. [254] when left out. */
  readonly unknown?: readonly number[] | undefined;
  /** Label values that mean "not labelled"; [255] when left out. */
  readonly void?: readonly number[] | undefined;
  /** What happens to unknown and void pixels; "paper" when left out. */
  readonly policy?: PolicyName | undefined;
  /** A threshold on uncertainty that was chosen beforehand, to report at. */
  readonly threshold?: number | undefined;
  /** Names in the result; those of the files when left out. */
  readonly datasetName?: string | undefined;
  readonly methodName?: string | undefined;
  /** Run folder to write the result into, with examples for the report. */
  readonly to?: string | undefined;
  /** Folder of images to show in the report. */
  readonly images?: string | undefined;
  /** Images to keep for the report; 24 when left out. */
  readonly examples?: number | undefined;
  /** Threads to read and count with; the result does not depend on it. */
  readonly threads?: number | undefined;
  /** How this came about, for the record. */
  readonly command?: string | undefined;
  /** Called with what the caller should know, and that is no error. */
  readonly onNote?: ((message: string) => void) | undefined;
}

/** A result, and where it was written. */
export interface ScoredFiles {
  readonly result: ResultFile;
  readonly path: string | null;
}

/** Below this, uncertainty and confidence were probably mistaken for each other. */
const BELOW_CHANCE = 0.4;

/** Score predictions of any program, a few images at a time: memory does not grow with their number. Nothing is ever resized. */
export async function scoreFiles(options: ScoreOptions): Promise<ScoredFiles> {
  const { labels, predicted, uncertainty, policy = "paper", examples = 24, onNote = () => {}, to } = options;
  const { threads = Math.min(4, availableParallelism()), command = "score()" } = options;
  const { unknown, void: voids, images, threshold } = options;
  const classes = options.classes === undefined ? {} : await readClasses(options.classes);
  const scored = await score({
    ...{ labels, predicted, uncertainty, policy, threads, onNote },
    ...(unknown && { unknown }),
    ...(voids && { void: voids }),
    ...(images !== undefined && { images }),
    ...classes,
    ...(threshold !== undefined && { threshold }),
  });
  try {
    const evaluation = {
      ...scored,
      dataset: options.datasetName ?? stem(labels),
      method: options.methodName ?? stem(predicted),
      intervals: { seed: 0 },
      command,
      seeds: { bootstrap: 0 },
      environment: environment(),
    };
    const written = to === undefined ? null : await writeResult(to, evaluation, scored.examples(examples));
    const result = written?.result ?? resultOf(evaluation);
    if (result.auroc !== null && result.auroc < BELOW_CHANCE) {
      onNote(
        `AUROC ${result.auroc.toFixed(3)} is below chance; is the uncertainty a confidence? larger must mean less certain`,
      );
    }
    return { result, path: written?.path ?? null };
  } finally {
    await scored.close();
  }
}

const stem = (path: string): string => basename(path, extname(path));
