import { UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { UserError } from "../../errors.js";
import { numberedClasses } from "./classNames.js";
import type { Example } from "./examples.js";
import { type Maps, type NumberMap, openMaps } from "./maps.js";
import { openPictures, type Pictures } from "./pictures.js";
import type { Evaluation, NamedClass, PolicyName } from "./resultOf.js";
import { Tally } from "./tally.js";
import { chooseExamples } from "./writeResult.js";

/** Anybody's predictions on disk, and what their numbers mean. */
export interface ScoreOptions {
  /** Each an `.npy` array, a `.png`, or a folder of them; see `openMaps`. */
  readonly labels: string;
  readonly predicted: string;
  readonly uncertainty: string;
  /** A folder of pictures to show in the report; never scored. */
  readonly images?: string;
  /** Left out: as many as the labels have. */
  readonly classes?: readonly NamedClass[];
  /** Label values that mean "no class of ours" and "not labelled". */
  readonly unknown?: readonly number[];
  readonly void?: readonly number[];
  readonly policy?: PolicyName;
  /** A threshold on uncertainty that was chosen beforehand. */
  readonly threshold?: number;
  /** Called with what the reader should know, and that is no error. */
  readonly onNote?: (note: string) => void;
}

/** What was counted, ready for `writeResult`; `examples` reads pictures again, one by one. Close it at the end. */
export interface Scored extends Pick<Evaluation, "set" | "confusion" | "classes" | "policy" | "gamma" | "meaningless"> {
  examples(most: number): AsyncIterable<Example>;
  close(): Promise<void>;
}

/** Score predictions image by image: memory does not grow with their number. Nothing is ever resized. */
export async function score(options: ScoreOptions): Promise<Scored> {
  const { unknown = [UNKNOWN_LABEL], void: voids = [VOID_LABEL], policy = "paper", onNote = () => {} } = options;
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
    const pictures = options.images === undefined ? undefined : await openPictures(options.images);
    const classes = options.classes ?? (await classesFound(labels, [...unknown, ...voids], onNote));
    const rules = labelRules(classes.length, unknown, voids);
    const sources = { labels, predicted, uncertainty };
    const tally = new Tally({ classes: classes.length, policy });
    for (const id of labels.ids) tally.add(await readImage(id, sources, rules));
    const { set, confusion, meaningless } = tally.finish();
    const { threshold } = options;
    return {
      set,
      confusion,
      classes,
      policy,
      ...(meaningless === undefined ? {} : { meaningless }),
      ...(threshold === undefined ? {} : { gamma: { gamma: threshold, threshold } }),
      async *examples(most) {
        for (const id of chooseExamples(labels.ids, most)) yield readImage(id, sources, rules, pictures);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
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
  labels: Maps,
  others: readonly number[],
  onNote: (note: string) => void,
): Promise<NamedClass[]> {
  let largest = 0;
  for (const id of labels.ids) {
    const { values } = await labels.read(id);
    for (let i = 0; i < values.length; i++) {
      if (values[i]! > largest && !others.includes(values[i]!)) largest = values[i]!;
    }
  }
  onNote(`found classes 0 to ${largest} in the labels; say --classes to be sure`);
  return numberedClasses(largest + 1);
}

type Rules = ReadonlyMap<number, number>;

function labelRules(classes: number, unknown: readonly number[], voids: readonly number[]): Rules {
  const rules = new Map<number, number>();
  for (let id = 0; id < classes; id++) rules.set(id, id);
  for (const [role, ids, label] of [
    ["unknown", unknown, UNKNOWN_LABEL],
    ["void", voids, VOID_LABEL],
  ] as const) {
    for (const id of ids) {
      if (id >= 0 && id < classes) {
        throw new UserError(`--${role} ${id} is also a class: there are ${classes}, 0 to ${classes - 1}`);
      }
      rules.set(id, label);
    }
  }
  return rules;
}

async function readImage(
  id: string,
  from: { readonly labels: Maps; readonly predicted: Maps; readonly uncertainty: Maps },
  rules: Rules,
  pictures?: Pictures,
): Promise<Example> {
  const labels = await from.labels.read(id);
  const predicted = await from.predicted.read(id);
  const uncertainty = await from.uncertainty.read(id);
  const { height, width } = labels;
  for (const [role, map] of [
    ["prediction", predicted],
    ["uncertainty", uncertainty],
  ] as const) {
    if (map.height !== height || map.width !== width) {
      throw new UserError(`image ${id}: labels are ${height} x ${width}, the ${role} is ${map.height} x ${map.width}`, {
        hint: "predict at the size of the labels; nothing is resized here",
      });
    }
  }
  if (uncertainty.depth === 8) {
    throw new UserError(`image ${id}: uncertainty in 8 bits, wanted a 16-bit PNG or .npy`, {
      hint: "256 levels are too few to tell thresholds apart",
    });
  }
  return {
    id,
    height,
    width,
    rgb: pictures === undefined ? null : await pictures.read(id, { height, width }),
    labels: labelled(id, labels, rules),
    predicted: answered(id, predicted, rules),
    uncertainty: Float32Array.from(uncertainty.values),
  };
}

function labelled(id: string, { values, width }: NumberMap, rules: Rules): Uint8Array {
  const labels = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const label = rules.get(values[i]!);
    if (label === undefined) {
      throw new UserError(
        `image ${id}: label ${values[i]} at row ${Math.floor(i / width)}, column ${i % width} is neither a class nor listed`,
        {
          hint: "name it under --unknown (any prediction there is wrong) or --void (not labelled), or raise --classes",
        },
      );
    }
    labels[i] = label;
  }
  return labels;
}

/** A prediction that is no class counts as wrong; one that is no whole number is a mistake in the file. */
function answered(id: string, { values, fractional }: NumberMap, rules: Rules): Uint8Array {
  if (fractional) {
    throw new UserError(`image ${id}: predictions are fractions, wanted class ids`, {
      hint: "save the argmax over classes as uint8",
    });
  }
  const predicted = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const answer = rules.get(values[i]!) ?? VOID_LABEL;
    predicted[i] = answer === UNKNOWN_LABEL ? VOID_LABEL : answer;
  }
  return predicted;
}
