import { dirname, resolve } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import { readJsonIfSound } from "../../platform/json.js";
import type { Item } from "./dataset.js";
import { type ItemFacts, stampOf } from "./scanItem.js";

/** Raise it when a scan finds something it did not find before. */
const VERSION = 1;

const facts = z.object({
  size: z.tuple([z.number(), z.number()]),
  hash: z.string(),
  values: z.record(z.string(), z.number()).nullable(),
});
const rememberedFile = z.object({
  version: z.literal(VERSION),
  items: z.record(z.string(), z.object({ stamp: z.string(), facts })),
});

/**
 * Scans of images without problems, in a file: as long as path, size and time of image and labels stay, and the label rule,
 * they are not decoded again. A file that is missing or torn only costs scanning again.
 */
export class RememberedScans {
  readonly #path: string;
  readonly #items: Map<string, { stamp: string; facts: z.infer<typeof facts> }>;
  readonly #rule: string;
  #changed = false;

  private constructor(path: string, rule: string, items: z.infer<typeof rememberedFile>["items"]) {
    this.#path = path;
    this.#rule = rule;
    this.#items = new Map(Object.entries(items));
  }

  /** `rule` is everything besides the files that decides what a scan says. */
  static async open(path: string, rule: string): Promise<RememberedScans> {
    const found = await readJsonIfSound(path, { schema: rememberedFile, hint: "" });
    return new RememberedScans(path, rule, found?.items ?? {});
  }

  async recall(item: Item): Promise<ItemFacts | undefined> {
    const known = this.#items.get(keyOf(item));
    if (known === undefined || known.stamp !== (await this.#stamp(item))) return undefined;
    return { ...known.facts, problems: [] };
  }

  async remember(item: Item, { size, hash, values, problems }: ItemFacts): Promise<void> {
    if (problems.length > 0 || size === null || hash === null) return;
    this.#items.set(keyOf(item), { stamp: await this.#stamp(item), facts: { size: [...size], hash, values } });
    this.#changed = true;
  }

  async save(): Promise<void> {
    if (!this.#changed) return;
    await makeFolder(dirname(this.#path));
    await writeAtomically(this.#path, JSON.stringify({ version: VERSION, items: Object.fromEntries(this.#items) }));
  }

  async #stamp({ image, labels }: Item): Promise<string> {
    const stamp = await stampOf(image);
    return labels === null ? `${stamp}` : `${stamp} ${await stampOf(labels)} ${this.#rule}`;
  }
}

function keyOf({ image, labels }: Item): string {
  return labels === null ? resolve(image) : `${resolve(image)}\n${resolve(labels)}`;
}
