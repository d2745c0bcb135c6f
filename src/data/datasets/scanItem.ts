import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { DataError } from "../images/dataError.js";
import { readBytes, unreadable } from "../images/readBytes.js";
import { type ImageHeader, tryImage } from "../images/readImage.js";
import { applyRule } from "../labels/applyRule.js";
import { countValues } from "../labels/countValues.js";
import { VOID_LABEL } from "../labels/labelSpace.js";
import { adviseOption } from "./adviseOption.js";
import type { Dataset, Item } from "./dataset.js";
import { type Problem, problem, problemOf } from "./problem.js";
import { mustFit, readRawLabels } from "./readLabels.js";

/** Shorter sides than this are hardly images. */
const TINY = 32;

/** What a scan learned about one image. Plain data, so that it can be remembered. */
export interface ItemFacts {
  /** Of the upright image; null if it does not decode. */
  readonly size: readonly [height: number, width: number] | null;
  /** Of the image's bytes: the same image again has the same. Null if there are none. */
  readonly hash: string | null;
  /** Pixels of each label value; null without labels, or if they do not decode. */
  readonly values: Readonly<Record<string, number>> | null;
  readonly problems: readonly Problem[];
}

/** Size and time of a file: it counts as unchanged while both stay. Undefined if there is none. */
export async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${found.size}@${found.mtimeMs}`;
}

/** Decode the image and the labels of one item, and say everything that is wrong with them. Never throws over a bad file. */
export async function scanItem(dataset: Dataset, item: Item): Promise<ItemFacts> {
  const problems: Problem[] = [];
  let hash: string | null = null;
  let header: ImageHeader | undefined;
  try {
    const bytes = await readSteadily(item.image, "image");
    hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    header = await tryImage(bytes, item.image);
    problems.push(...oddities(header, item.image));
  } catch (error) {
    problems.push(problemOf(error));
  }
  const size = header === undefined ? null : ([header.height, header.width] as const);
  if (item.labels === null) return { size, hash, values: null, problems };
  const values = await scanLabels(dataset, { ...item, labels: item.labels }, header, problems);
  if (values !== null && header !== undefined && header.orientation !== 1) problems.push(turned(header, item.image));
  return { size, hash, values, problems };
}

async function scanLabels(
  { spec, labelling }: Dataset,
  { image, labels: file }: { readonly image: string; readonly labels: string },
  header: ImageHeader | undefined,
  problems: Problem[],
): Promise<Record<string, number> | null> {
  if (labelling === null) return null;
  const { rule } = labelling;
  try {
    const bytes = await readSteadily(file, "label");
    const png = await readRawLabels(bytes, file, header === undefined ? undefined : mustFit(header, file, image));
    const counts = countValues(png, rule.kind);
    let strays = 0;
    for (const [value, pixels] of counts) if (!Object.hasOwn(rule.meaning, value)) strays += pixels;
    // Going from pixel to pixel is only worth it to say where the first stranger is.
    if (strays > 0 || png.channels >= 3 !== (rule.kind === "colours")) applyRule(png, rule, file);
    if (strays > 0) problems.push(strayWarning(file, strays));
    if ([...counts.keys()].every((value) => rule.meaning[value] === VOID_LABEL)) {
      problems.push(
        problem("warning", "label-all-void", file, "every pixel is void: there is nothing to learn or to score"),
      );
    }
    return Object.fromEntries(counts);
  } catch (error) {
    problems.push(problemOf(adviseOption(error, spec)));
    return null;
  }
}

function strayWarning(file: string, strays: number): Problem {
  return problem(
    "warning",
    "label-strays",
    file,
    `${strays} pixels have values of no label, a known flaw; they are void`,
  );
}

/** The bytes of a file that nobody writes to while we read. */
async function readSteadily(file: string, what: "image" | "label"): Promise<Buffer> {
  const before = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, what, cause);
  });
  const bytes = await readBytes(file, what);
  const after = await stampOf(file);
  if (after !== `${before.size}@${before.mtimeMs}` || bytes.length !== before.size) {
    throw new DataError("file-changed", file, "changed while it was being read", {
      hint: "wait until it has been written",
    });
  }
  return bytes;
}

/** What is allowed but worth knowing. */
function oddities({ width, height, frames, transparent }: ImageHeader, file: string): Problem[] {
  const found: Problem[] = [];
  const warn = (code: Problem["code"], message: string, hint: string): void => {
    found.push(problem("warning", code, file, message, hint));
  };
  if (frames > 1) {
    warn("image-animated", `has ${frames} frames; the first is taken`, "write the frames as files of their own");
  }
  if (transparent) warn("image-transparent", "has transparency, which is dropped", "save it without an alpha channel");
  if (Math.min(width, height) < TINY) warn("image-tiny", `is ${width} x ${height} pixels`, "is this an image?");
  return found;
}

/** The labels fit the upright image, but fitting is all that can be checked: half a turn fits as well. */
function turned({ orientation }: ImageHeader, file: string): Problem {
  return problem(
    "warning",
    "image-rotated",
    file,
    `is turned upright as EXIF orientation ${orientation} says; its labels are not`,
    "look at it in the contact sheet; save images upright, without the tag",
  );
}
