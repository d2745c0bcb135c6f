import * as z from "zod";
import { parseClasses } from "../data/datasets/classesFile.js";
import { type Labelling, UNKNOWN_LABEL } from "../data/labels/labelSpace.js";
import { UserError } from "../platform/errors.js";
import { readText } from "../platform/files.js";
import { parseJson } from "../platform/json.js";
import type { NamedClass } from "./results/resultOf.js";

const byte = z.int().min(0).max(255);
const named = z.object({ name: z.string().min(1), colour: z.tuple([byte, byte, byte]).optional() });
const list = z
  .array(z.union([z.string().min(1), named]))
  .min(1)
  .max(UNKNOWN_LABEL);
const classFile = z.union([list, z.object({ classes: list }).transform(({ classes }) => classes)]);

/** Classes of predictions, and what label values mean where a file says so. */
export interface ScoredClasses {
  readonly classes: readonly NamedClass[];
  readonly meaning?: ReadonlyMap<number, number>;
}

/**
 * What `--classes` says: how many there are; a JSON file with their names, `["road", …]` or `[{"name", "colour"}, …]`; or the classes.json
 * that `folder:` reads, which also says what label values mean.
 */
export async function readClasses(given: string): Promise<ScoredClasses> {
  if (/^\d+$/.test(given)) return { classes: numberedClasses(Number(given)) };
  const text = await readText(given).catch((cause: unknown) => {
    throw new UserError(`--classes is "${given}": neither a number nor a file that can be read`, { cause });
  });
  const found = parseJson(text, given, { schema: z.unknown(), hint: 'wanted a list of names: ["road", "sky"]' });
  if (saysWhatLabelsMean(found)) return ofLabelling(parseClasses(text, given), given);
  const parsed = classFile.safeParse(found);
  if (!parsed.success) {
    throw new UserError(`${given}: is no list of classes`, {
      hint: `wanted ["road", "sky"] or [{"name": "road", "colour": [128, 64, 128]}], at most ${UNKNOWN_LABEL} of them; or the classes.json of a folder`,
      cause: parsed.error,
    });
  }
  const classes = parsed.data.map((one, k) =>
    typeof one === "string"
      ? { name: one, colour: spreadColour(k) }
      : { name: one.name, colour: one.colour ?? spreadColour(k) },
  );
  return { classes };
}

/** Whether a class has values of its own, or a colour as text: only the classes.json of a folder has these. */
function saysWhatLabelsMean(found: unknown): boolean {
  const { classes } = (found ?? {}) as { classes?: unknown };
  if (!Array.isArray(classes)) return false;
  return classes.some((one) => one?.ids !== undefined || one?.colours !== undefined || typeof one?.colour === "string");
}

function ofLabelling({ classes, rule }: Labelling, file: string): ScoredClasses {
  if (rule.kind === "colours") {
    throw new UserError(`${file}: its labels are colours, and gssl score reads label ids`, {
      hint: "save the label maps as ids: 0 for the first class, 1 for the second",
    });
  }
  return {
    classes: classes.classes,
    meaning: new Map(Object.entries(rule.meaning).map(([value, label]) => [Number(value), label])),
  };
}

/** Classes without names. */
export function numberedClasses(count: number): NamedClass[] {
  if (count < 1 || count > UNKNOWN_LABEL) {
    throw new UserError(`${count} classes, wanted 1 to ${UNKNOWN_LABEL}`);
  }
  return Array.from({ length: count }, (_, k) => ({ name: `class ${k}`, colour: spreadColour(k) }));
}

/** Colours that stay apart: hue turns by the golden angle, lightness takes turns. */
function spreadColour(k: number): [number, number, number] {
  const hue = (k * 137.508) % 360;
  const light = [0.55, 0.4, 0.7][k % 3]!;
  const chroma = 0.6 * Math.min(light, 1 - light);
  const channel = (n: number): number => {
    const at = (n + hue / 30) % 12;
    return Math.round(255 * (light - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
