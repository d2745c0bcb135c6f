import { join, resolve } from "node:path";
import { z } from "zod";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import { parseJson } from "../../platform/json.js";
import { knownHint } from "../../platform/nearest.js";
import { printable } from "../../platform/printable.js";
import { builtInLabellings, isLabellingName } from "../labels/builtIn.js";
import { labellingFaults } from "../labels/checkLabelling.js";
import { type ClassList, type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import { hexColour } from "../labels/labelTable.js";
import { exists } from "./files.js";
import { MOST_LABELMAP, parseLabelmap } from "./labelmap.js";

const byte = z.int().min(0).max(255);
const colour = z.union([
  z.tuple([byte, byte, byte]),
  z.string().regex(/^#?[0-9a-fA-F]{6}$/, 'wanted "#rrggbb" or [red, green, blue]'),
]);
const id = z.int().min(0).max(65535);

/** The form of a classes.json. docs/data.md explains it with an example. */
const classesFile = z
  .strictObject({
    name: z.string().min(1).max(100).default("own"),
    kind: z.enum(["ids", "colours"]).default("ids"),
    classes: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(100),
          colour,
          ids: z.array(id).min(1).optional(),
          colours: z.array(colour).min(1).optional(),
        }),
      )
      .min(1)
      .max(254),
    unknown: z.array(z.union([id, colour])).default([]),
    void: z.array(z.union([id, colour])).default([]),
  })
  .readonly();

/** What the labels of a folder mean, where its spec does not say. */
export const CLASSES_FILES = ["classes.json", "labelmap.txt"];

/** What the labels of a folder or manifest mean: a built-in label space, a file, or a file that lies beside the images. */
export async function findClasses(reader: string, root: string, given: string | undefined): Promise<Labelling> {
  if (given === undefined) {
    for (const name of CLASSES_FILES) {
      const path = join(root, name);
      if (await exists(path)) return readClasses(path);
    }
    throw new UserError(`${reader}: nothing says what the labels in ${printable(root)} mean`, {
      hint: `add classes=<file>, put a classes.json beside them, or name a label space: ${Object.keys(builtInLabellings).join(", ")}`,
    });
  }
  if (isLabellingName(given)) return builtInLabellings[given];
  const path = resolve(root, given);
  if (await exists(path)) return readClasses(path);
  throw new UserError(
    `${reader}: classes is "${printable(given)}", which is neither a file in ${printable(root)} nor a label space`,
    {
      hint: knownHint(given, Object.keys(builtInLabellings)),
    },
  );
}

/** Read a classes.json or a labelmap.txt. */
export async function readClasses(path: string): Promise<Labelling> {
  const text = (await readRegularFile(path, MOST_LABELMAP)).toString("utf8");
  const labelling = path.endsWith(".txt") ? parseLabelmap(text, path) : parseClasses(text, path);
  const faults = labellingFaults(labelling);
  if (faults.length > 0) {
    throw new UserError(`${printable(path)}: ${faults.map(printable).join("; ")}`, {
      hint: "docs/data.md shows the form",
    });
  }
  return labelling;
}

/** A classes.json of so many classes whose label values are 0, 1, 2 …; and what other values mean, where there are others. */
export function formatClasses(
  name: string,
  classes: ClassList["classes"],
  others: { readonly unknown?: readonly number[]; readonly void?: readonly number[] } = {},
): string {
  const listed = classes.map(({ name, colour }, id) => ({ name, colour: `#${hexColour(colour)}`, ids: [id] }));
  return `${JSON.stringify({ name, classes: listed, ...others }, null, 1)}\n`;
}

/** The text of a classes.json. */
export function parseClasses(text: string, path: string): Labelling {
  const file = parseJson(text, printable(path), {
    schema: classesFile,
    hint: 'a class is { "name": "road", "colour": "#804080" }; docs/data.md shows the form of a classes.json',
  });
  const { name, kind, classes, unknown, void: ignored } = file;
  const meaning: Record<string, number> = {};
  const set = (value: number | string | readonly number[], to: number): void => {
    const key = kind === "ids" ? String(value) : spelled(value);
    if (kind === "ids" ? typeof value !== "number" : typeof value === "number") {
      throw new UserError(`${printable(path)}: ${String(value)} is listed, but the file says the labels are ${kind}`, {
        hint: `list ${kind}, or change "kind"`,
      });
    }
    if (meaning[key] !== undefined) {
      throw new UserError(`${printable(path)}: ${key} is listed twice`, { hint: "a value means one thing" });
    }
    meaning[key] = to;
  };
  classes.forEach((each, place) => {
    // A class without values of its own: its place in the list, or the colour it is drawn in.
    const values = kind === "ids" ? (each.ids ?? [place]) : (each.colours ?? [each.colour]);
    for (const value of values) set(value, place);
  });
  for (const value of unknown) set(value, UNKNOWN_LABEL);
  for (const value of ignored) set(value, VOID_LABEL);
  const list = classes.map((each) => ({ name: each.name, colour: parts(each.colour) }));
  return { classes: { name, classes: list }, rule: { kind, meaning } };
}

type GivenColour = z.infer<typeof colour>;

function parts(given: GivenColour): [number, number, number] {
  if (typeof given !== "string") return given;
  const value = Number.parseInt(given.replace("#", ""), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function spelled(value: number | string | readonly number[]): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.replace("#", "").toLowerCase();
  return hexColour([value[0]!, value[1]!, value[2]!]);
}
