import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { UserError } from "../platform/errors.js";
import type { ImageFolder } from "./imageFolder.js";
import type { Example } from "./results/examples.js";
import type { Maps, NumberMap } from "./results/maps.js";

/** What values in files mean. Predictions are places in the class list. */
export interface Rules {
  readonly classes: number;
  /** Each value of a label: a place in the class list, unknown or void. */
  readonly labels: ReadonlyMap<number, number>;
}

/** Label values that are no class. A usual value gives way to one that was named; one named as both is refused. */
export function specialLabels(named: { readonly unknown?: readonly number[]; readonly void?: readonly number[] }): {
  unknown: readonly number[];
  voids: readonly number[];
} {
  const both = named.unknown?.find((id) => named.void?.includes(id));
  if (both !== undefined) {
    throw new UserError(`--unknown ${both} and --void ${both}: a label value cannot be both`, {
      hint: "unknown pixels count as wrong, void ones are not scored",
    });
  }
  return {
    unknown: named.unknown ?? [UNKNOWN_LABEL].filter((id) => !named.void?.includes(id)),
    voids: named.void ?? [VOID_LABEL].filter((id) => !named.unknown?.includes(id)),
  };
}

/** `meaning` is what a classes.json says of label values; without one, classes are 0, 1, 2 … */
export function labelRules(
  classes: number,
  unknown: readonly number[],
  voids: readonly number[],
  meaning?: ReadonlyMap<number, number>,
): Rules {
  const rules = new Map(meaning ?? Array.from({ length: classes }, (_, id) => [id, id] as const));
  for (const [role, ids, label] of [
    ["unknown", unknown, UNKNOWN_LABEL],
    ["void", voids, VOID_LABEL],
  ] as const) {
    for (const id of ids) {
      if ((rules.get(id) ?? UNKNOWN_LABEL) < classes) {
        const listed = meaning === undefined ? `there are ${classes}, 0 to ${classes - 1}` : "--classes lists it";
        throw new UserError(`--${role} ${id} is also a class: ${listed}`);
      }
      rules.set(id, label);
    }
  }
  return { classes, labels: rules };
}

/** Somebody's maps of the same images. */
export interface Sources {
  readonly labels: Maps;
  readonly predicted: Maps;
  readonly uncertainty: Maps;
}

/** One image with all that belongs to it. Nothing is resized; what does not fit together is refused with its name. */
export async function readExample(id: string, from: Sources, rules: Rules, images?: ImageFolder): Promise<Example> {
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
    rgb: images === undefined ? null : await images.read(id, { height, width }),
    labels: labelled(id, labels, rules.labels),
    predicted: answered(id, predicted, rules.classes),
    uncertainty: Float32Array.from(uncertainty.values),
  };
}

function labelled(id: string, { values, width }: NumberMap, rules: Rules["labels"]): Uint8Array {
  const labels = new Uint8Array(values.length);
  let before = Number.NaN; // most pixels are labelled as the one before: one look-up for all of them
  let label: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! !== before) label = rules.get(values[i]!);
    before = values[i]!;
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
function answered(id: string, { values, fractional }: NumberMap, classes: number): Uint8Array {
  if (fractional) {
    throw new UserError(`image ${id}: predictions are fractions, wanted class ids`, {
      hint: "save the argmax over classes as uint8",
    });
  }
  const predicted = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    predicted[i] = value >= 0 && value < classes ? value : VOID_LABEL;
  }
  return predicted;
}
