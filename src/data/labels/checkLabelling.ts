import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";

/** Class places are bytes, and two of them are taken. */
const MOST_CLASSES = UNKNOWN_LABEL;
const MOST_ID = 65535;

/**
 * What is wrong with a labelling, a sentence each; empty when nothing is (requirement D-10).
 *
 * Values must be ids of a PNG or colours, meanings must be classes of the list, unknown or void, and every class needs a value
 * unless it is listed in `without`: Cityscapes has trains, SAX has none.
 */
export function labellingFaults(
  { classes, rule }: Labelling,
  { without = [] }: { without?: readonly string[] } = {},
): string[] {
  const faults: string[] = [];
  const count = classes.classes.length;
  if (count === 0) faults.push("the class list is empty");
  if (count > MOST_CLASSES) faults.push(`there are ${count} classes, at most ${MOST_CLASSES} fit`);
  const seen = new Set<string>();
  for (const { name, colour } of classes.classes) {
    if (seen.has(name)) faults.push(`class "${name}" is listed twice`);
    seen.add(name);
    if (!colour.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) {
      faults.push(`class "${name}" has the colour ${colour.join(", ")}, wanted three whole numbers from 0 to 255`);
    }
  }
  const used = new Set<number>();
  for (const [value, meaning] of Object.entries(rule.meaning)) {
    if (!isValue(rule.kind, value)) {
      faults.push(
        rule.kind === "ids"
          ? `"${value}" is not an id from 0 to ${MOST_ID}`
          : `"${value}" is not a colour spelled as "rrggbb"`,
      );
    }
    const fits = Number.isInteger(meaning) && meaning >= 0 && meaning < count;
    if (!fits && meaning !== UNKNOWN_LABEL && meaning !== VOID_LABEL) {
      faults.push(`${value} means class ${meaning}, but classes run from 0 to ${count - 1}`);
    }
    used.add(meaning);
  }
  classes.classes.forEach(({ name }, place) => {
    if (!used.has(place) && !without.includes(name)) faults.push(`no value means class ${place}, "${name}"`);
  });
  return faults;
}

function isValue(kind: Labelling["rule"]["kind"], value: string): boolean {
  if (kind === "colours") return /^[0-9a-f]{6}$/.test(value);
  return /^(0|[1-9]\d{0,4})$/.test(value) && Number(value) <= MOST_ID;
}

/** "road" for 0, "unknown" and "void" for the two that are no class. */
export function meaningName({ classes }: Pick<Labelling, "classes">, meaning: number): string {
  if (meaning === UNKNOWN_LABEL) return "unknown";
  if (meaning === VOID_LABEL) return "void";
  return classes.classes[meaning]?.name ?? `class ${meaning}`;
}

/** A labelling to read: one line a value, ids in their order, colours in the order of the classes. */
export function labellingTable(labelling: Labelling): string {
  const { kind, meaning } = labelling.rule;
  const values = Object.keys(meaning);
  if (kind === "colours") values.sort((a, b) => meaning[a]! - meaning[b]! || (a < b ? -1 : 1));
  const width = Math.max(...values.map((value) => value.length));
  return values.map((value) => `${value.padStart(width)}  ${meaningName(labelling, meaning[value]!)}`).join("\n");
}
