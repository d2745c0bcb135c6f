import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { imagesPerBatch } from "../metrics/sketchSet.js";
import { invariant, UserError } from "../platform/errors.js";
import { numberedClasses } from "./classNames.js";
import { openImageFolder } from "./imageFolder.js";
import { type Counted, CounterSum } from "./pixelCounter.js";
import { labelRules, type Rules, readExample, specialLabels } from "./readExample.js";
import type { Example } from "./results/examples.js";
import { type Maps, openMaps } from "./results/maps.js";
import type { Evaluation, NamedClass, PolicyName } from "./results/resultOf.js";
import { openScorePool, type ScorePool } from "./scoreJobs.js";

/** Predictions of any program, on disk, and what their numbers mean. */
export interface ScoreOptions {
  /** Each an `.npy` array, a `.png`, or a folder of them; see `openMaps`. */
  readonly labels: string;
  readonly predicted: string;
  readonly uncertainty: string;
  /** A folder of images to show in the report; never scored. */
  readonly images?: string;
  /** Left out: as many as the labels have. */
  readonly classes?: readonly NamedClass[];
  /** What label values mean, where a classes.json says so: a place in `classes`, unknown or void. */
  readonly meaning?: ReadonlyMap<number, number>;
  /** Label values that mean "no class of ours" and "not labelled": 254 and 255 where left out and not named by the other. */
  readonly unknown?: readonly number[];
  readonly void?: readonly number[];
  readonly policy?: PolicyName;
  /** A threshold on uncertainty that was chosen beforehand. */
  readonly threshold?: number;
  /** Images are read and counted on so many threads, 1 meaning here. The result does not depend on it. */
  readonly threads?: number;
  /** Called with what the reader should know, and that is no error. */
  readonly onNote?: (note: string) => void;
}

/** What was counted, ready for `writeResult`; `examples` reads images again, one by one. Close it at the end. */
export interface Scored extends Pick<Evaluation, "set" | "confusion" | "classes" | "policy" | "gamma" | "meaningless"> {
  examples(most: number): AsyncIterable<Example>;
  close(): Promise<void>;
}

/** Score predictions a few images at a time: memory does not grow with their number. Nothing is ever resized. */
export async function score(options: ScoreOptions): Promise<Scored> {
  const { policy = "paper", onNote = () => {} } = options;
  const { unknown, voids } = specialLabels(options);
  const opened: Maps[] = [];
  const close = async (): Promise<void> => {
    for (const maps of opened) await maps.close();
  };
  try {
    for (const role of ["labels", "predicted", "uncertainty"] as const)
      opened.push(await openMaps(options[role], role));
    const [labels, predicted, uncertainty] = opened as [Maps, Maps, Maps];
    requireSameImages(labels, predicted, "predicted", onNote);
    requireSameImages(labels, uncertainty, "uncertainty", onNote);
    const images = options.images === undefined ? undefined : await openImageFolder(options.images);
    const groups = await groupsOf(labels);
    const threads = Math.min(options.threads ?? 1, groups.length);
    const paths = { labels: labels.path, predicted: predicted.path, uncertainty: uncertainty.path };
    const pool = openScorePool({ ...paths, policy }, threads < 2 ? 0 : threads);
    try {
      const classes = options.classes ?? (await classesFound(groups, pool, [...unknown, ...voids], onNote));
      const rules = labelRules(classes.length, unknown, voids, options.meaning);
      const { set, confusion, meaningless } = await count(groups, pool, classes.length, rules);
      const { threshold } = options;
      return {
        set,
        confusion,
        classes,
        policy,
        ...(meaningless === undefined ? {} : { meaningless }),
        ...(threshold === undefined ? {} : { gamma: { gamma: threshold, threshold } }),
        async *examples(most) {
          const sources = { labels, predicted, uncertainty };
          for (const id of evenlySpread(labels.ids, most)) yield readExample(id, sources, rules, images);
        },
        close,
      };
    } finally {
      await pool.close();
    }
  } catch (error) {
    await close();
    throw error;
  }
}

type Groups = readonly (readonly string[])[];

/** Neighbours together, as many of the size of the first as one batch holds: the same groups for any number of threads. */
async function groupsOf(labels: Maps): Promise<Groups> {
  const { ids } = labels;
  if (ids.length === 0) return [];
  const { height, width } = await labels.read(ids[0]!);
  const size = imagesPerBatch(height * width);
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, k) => ids.slice(k * size, (k + 1) * size));
}

async function count(groups: Groups, pool: ScorePool, classes: number, rules: Rules): Promise<Counted> {
  const sum = new CounterSum({ classes });
  for await (const part of pool.results(groups.map((ids) => ({ kind: "count", ids, classes, rules })))) {
    invariant(typeof part === "object", "counting gave no counts");
    sum.add(part);
  }
  return sum.finish();
}

function requireSameImages(labels: Maps, other: Maps, role: string, onNote: (note: string) => void): void {
  if (labels.named !== other.named) {
    throw new UserError(
      `${labels.path} and ${other.path} cannot be matched: one has file names, the other only an order`,
      {
        hint: "give two folders, or two arrays",
      },
    );
  }
  if (!labels.named && labels.ids.length !== other.ids.length) {
    throw new UserError(`${labels.path} holds ${labels.ids.length} images, ${other.path} holds ${other.ids.length}`);
  }
  const there = new Set(other.ids);
  const missing = labels.ids.filter((id) => !there.has(id));
  if (missing.length > 0) {
    throw new UserError(
      `--${role}: ${missing.length} of ${labels.ids.length} images have no file, ${missing[0]} first`,
      {
        hint: `files are matched by name without ending; ${other.path} has ${other.ids[0]}`,
      },
    );
  }
  const extra = other.ids.length - labels.ids.length;
  if (extra > 0) onNote(`--${role}: ${extra} files have no labels and are left out`);
}

/** Without a class list, classes are 0 up to the largest value in the labels that means nothing else. */
async function classesFound(
  groups: Groups,
  pool: ScorePool,
  others: readonly number[],
  onNote: (note: string) => void,
): Promise<NamedClass[]> {
  let largest = 0;
  for await (const found of pool.results(groups.map((ids) => ({ kind: "largest", ids, others })))) {
    invariant(typeof found === "number", "looking for classes gave no number");
    largest = Math.max(largest, found);
  }
  onNote(`found classes 0 to ${largest} in the labels; say --classes to be sure`);
  return numberedClasses(largest + 1);
}
