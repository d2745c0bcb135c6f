import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { type Labelling, VOID_LABEL } from "../labels/labelSpace.js";
import { hexColour } from "../labels/labelTable.js";

/** No list of classes is longer. */
export const MOST_LABELMAP = 2 ** 20;

/** Of a line that cannot be read, so much is shown. */
const SHOWN = 80;

/** Labels that mean "nobody said": CVAT exports what was not annotated as background. */
const VOID_NAMES = new Set(["background", "ignored", "ignore", "void", "unlabeled", "unlabelled"]);

/**
 * The labelmap.txt of CVAT's "Segmentation mask 1.1" and of VOC: a line `name:red,green,blue:parts:actions` for each label.
 *
 * The masks may be RGB or have a palette; colours decide. `background` and the like are void; to learn them as a class, or to
 * call a label unknown, write a classes.json instead.
 */
export function parseLabelmap(text: string, path: string): Labelling {
  const classes: { name: string; colour: [number, number, number] }[] = [];
  const meaning: Record<string, number> = {};
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return;
    const match = /^([^:]+):\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(:|$)/.exec(line);
    const colour = match === null ? [] : [Number(match[2]), Number(match[3]), Number(match[4])];
    if (match === null || colour.some((part) => part > 255)) {
      throw new UserError(`${printable(path)}: line ${index + 1} is "${printable(line.slice(0, SHOWN))}"`, {
        hint: 'wanted "name:red,green,blue:parts:actions"',
      });
    }
    const name = match[1]!.trim();
    const rgb: [number, number, number] = [colour[0]!, colour[1]!, colour[2]!];
    const key = hexColour(rgb);
    if (meaning[key] !== undefined) {
      throw new UserError(`${printable(path)}: line ${index + 1} uses the colour ${key} again`, {
        hint: "labels of one colour cannot be told apart in the masks",
      });
    }
    if (VOID_NAMES.has(name.toLowerCase())) meaning[key] = VOID_LABEL;
    else meaning[key] = classes.push({ name, colour: rgb }) - 1;
  });
  return { classes: { name: "labelmap", classes }, rule: { kind: "colours", meaning } };
}
