import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { inParallel } from "../../platform/inParallel.js";
import { type Labelling, UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import type { Dataset } from "./dataset.js";
import { type Problem, problem } from "./problem.js";
import { RememberedScans } from "./rememberedScans.js";
import { type ItemFacts, scanItem, stampOf } from "./scanItem.js";

/** Pixels of one meaning, as a share of all labelled pixels, and in how many images it occurs. */
export interface Share {
  readonly name: string;
  readonly pixels: number;
  readonly share: number;
  readonly images: number;
}

/** Everything a full scan of a data set found. */
export interface DatasetCheck {
  readonly spec: string;
  readonly images: number;
  readonly labelled: boolean;
  /** Sizes of the images, the commonest first. */
  readonly sizes: readonly { readonly width: number; readonly height: number; readonly images: number }[];
  /** Pixels of each value in the label files. */
  readonly values: Readonly<Record<string, number>>;
  /** By class, in the order of the class list; empty without labels. */
  readonly classes: readonly Share[];
  readonly unknown: Share;
  readonly void: Share;
  /** Errors first, each kind in the order of the images. */
  readonly problems: readonly Problem[];
  /** Hash of each image's bytes, by file. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Size and time of every file when it was read, by file. */
  readonly stamps: ReadonlyMap<string, string>;
}

export interface CheckOptions {
  readonly onProgress?: (done: number, total: number) => void;
  /** A file that remembers what was scanned; a second check then only looks at what changed. */
  readonly remembered?: string;
}

/**
 * Decode every image and every label map of a data set and report what is wrong with them, and what is in them. Training does
 * not start on a data set with an error in it, so that no label can fail after step 0.
 */
export async function checkDataset(
  dataset: Dataset,
  { onProgress, remembered }: CheckOptions = {},
): Promise<DatasetCheck> {
  const { items, labelling } = dataset;
  const memory = remembered === undefined ? undefined : await RememberedScans.open(remembered, ruleKey(labelling));
  const facts = new Array<ItemFacts>(items.length);
  const stamps = new Map<string, string>();
  let done = 0;
  // Decoding happens on other threads: a few more images than cores keep them busy.
  await inParallel(items.length, availableParallelism() + 2, async (index) => {
    const item = items[index]!;
    for (const file of [item.image, item.labels]) {
      if (file !== null) stamps.set(file, (await stampOf(file)) ?? "missing");
    }
    const recalled = await memory?.recall(item);
    facts[index] = recalled ?? (await scanItem(dataset, item));
    if (recalled === undefined) await memory?.remember(item, facts[index]);
    onProgress?.(++done, items.length);
  });
  await memory?.save();

  const hashes = new Map<string, string>();
  items.forEach(({ image }, index) => {
    const { hash } = facts[index]!;
    if (hash !== null) hashes.set(image, hash);
  });
  const shares = sharesOf(labelling, facts);
  const problems = [
    ...(dataset.problems ?? []),
    ...facts.flatMap((fact) => fact.problems),
    ...sameContent(hashes),
    ...wrongSpace(dataset, shares.values),
  ];
  problems.sort((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"));
  return {
    spec: dataset.spec,
    images: items.length,
    labelled: labelling !== null,
    sizes: sizesOf(facts),
    ...shares,
    problems,
    hashes,
    stamps,
  };
}

/** Files that are no longer as they were when they were checked. */
export async function changedSince({ stamps }: Pick<DatasetCheck, "stamps">): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const [file, before] of stamps) {
    if (((await stampOf(file)) ?? "missing") === before) continue;
    found.push(problem("error", "file-changed", file, "changed after it was checked", "check the data set again"));
  }
  return found;
}

function sizesOf(facts: readonly ItemFacts[]): DatasetCheck["sizes"] {
  const counts = new Map<string, number>();
  for (const { size } of facts) {
    if (size !== null) counts.set(`${size[1]} ${size[0]}`, (counts.get(`${size[1]} ${size[0]}`) ?? 0) + 1);
  }
  return [...counts]
    .map(([key, images]) => ({ width: Number(key.split(" ")[0]), height: Number(key.split(" ")[1]), images }))
    .sort((a, b) => b.images - a.images || b.width - a.width || b.height - a.height);
}

function sharesOf(
  labelling: Labelling | null,
  facts: readonly ItemFacts[],
): Pick<DatasetCheck, "values" | "classes" | "unknown" | "void"> {
  const total = new Map<string, number>();
  const pixels = new Float64Array(256);
  const images = new Uint32Array(256);
  for (const { values } of facts) {
    const here = new Set<number>();
    for (const [value, count] of Object.entries(values ?? {})) {
      const meaning = labelling?.rule.meaning[value] ?? VOID_LABEL;
      total.set(value, (total.get(value) ?? 0) + count);
      pixels[meaning]! += count;
      here.add(meaning);
    }
    for (const meaning of here) images[meaning]!++;
  }
  const all = Math.max(
    1,
    pixels.reduce((sum, count) => sum + count, 0),
  );
  const share = (name: string, meaning: number): Share => ({
    name,
    pixels: pixels[meaning]!,
    share: pixels[meaning]! / all,
    images: images[meaning]!,
  });
  return {
    values: Object.fromEntries([...total].sort(([a], [b]) => (a < b ? -1 : 1))),
    classes: labelling?.classes.classes.map(({ name }, place) => share(name, place)) ?? [],
    unknown: share("unknown", UNKNOWN_LABEL),
    void: share("void", VOID_LABEL),
  };
}

function sameContent(hashes: ReadonlyMap<string, string>): Problem[] {
  const first = new Map<string, string>();
  const found: Problem[] = [];
  for (const [file, hash] of hashes) {
    const before = first.get(hash);
    if (before === undefined) first.set(hash, file);
    else found.push(problem("warning", "content-twice", file, `is the same image as ${before}`, "keep one of them"));
  }
  return found;
}

/**
 * Train ids read as Cityscapes label ids break no rule, as every train id is a label id too. But a whole data set without sky,
 * plants or cars (all above 18), mostly made of what is void there (0 to 6), is not what it was taken for.
 */
function wrongSpace({ spec, labelling }: Dataset, values: Readonly<Record<string, number>>): Problem[] {
  if (labelling === null || labelling.rule.kind !== "ids") return [];
  const { meaning } = labelling.rule;
  const labelIds =
    [0, 1, 2, 3, 4, 5, 6].every((id) => meaning[id] === VOID_LABEL) && meaning[7] === 0 && meaning[26] === 13;
  if (!labelIds) return [];
  let [low, high, all] = [0, 0, 0];
  for (const [value, pixels] of Object.entries(values)) {
    all += pixels;
    if (Number(value) <= 6) low += pixels;
    if (Number(value) > 18 && value !== "255") high += pixels;
  }
  if (high > 0 || low < 0.3 * all || all === 0) return [];
  const reader = spec.slice(0, spec.indexOf(":"));
  const option = reader === "cityscapes" ? "labels=train-ids" : "classes=cityscapes-train-ids (with the folder reader)";
  return [
    problem(
      "error",
      "label-space",
      spec,
      "no id above 18 occurs in the whole set, and most pixels would be void: these look like train ids, not label ids",
      `set ${option} in the spec`,
    ),
  ];
}

function ruleKey(labelling: Labelling | null): string {
  return createHash("sha256")
    .update(JSON.stringify(labelling?.rule ?? null))
    .digest("hex")
    .slice(0, 16);
}
