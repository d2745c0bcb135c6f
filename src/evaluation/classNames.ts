import { readFile } from "node:fs/promises";
import * as z from "zod";
import { UNKNOWN_LABEL } from "../data/labels/labelSpace.js";
import { UserError } from "../platform/errors.js";
import type { NamedClass } from "./results/resultOf.js";

const byte = z.int().min(0).max(255);
const named = z.object({ name: z.string().min(1), colour: z.tuple([byte, byte, byte]).optional() });
const list = z
  .array(z.union([z.string().min(1), named]))
  .min(1)
  .max(UNKNOWN_LABEL);
const classFile = z.union([list, z.object({ classes: list }).transform(({ classes }) => classes)]);

/** What `--classes` says: how many there are, or a JSON file with their names, `["road", …]` or `[{"name", "colour"}, …]`. */
export async function readClasses(given: string): Promise<NamedClass[]> {
  if (/^\d+$/.test(given)) return numberedClasses(Number(given));
  const text = await readFile(given, "utf8").catch((cause: unknown) => {
    throw new UserError(`--classes is "${given}": neither a number nor a file that can be read`, { cause });
  });
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw new UserError(`${given}: is not JSON (${cause instanceof Error ? cause.message : cause})`, { cause });
  }
  const parsed = classFile.safeParse(found);
  if (!parsed.success) {
    throw new UserError(`${given}: is no list of classes`, {
      hint: `wanted ["road", "sky"] or [{"name": "road", "colour": [128, 64, 128]}], at most ${UNKNOWN_LABEL} of them`,
      cause: parsed.error,
    });
  }
  return parsed.data.map((one, k) =>
    typeof one === "string"
      ? { name: one, colour: spreadColour(k) }
      : { name: one.name, colour: one.colour ?? spreadColour(k) },
  );
}

/** Classes that nobody named. */
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
