import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeSketchSet } from "../../metrics/sketchBytes.js";
import { removeDrafts, writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import { sealedJson, sha256 } from "../../platform/seal.js";
import { type Example, exampleFiles } from "./examples.js";
import { imageRows, imageTable } from "./imageTable.js";
import { type ResultFile, readResult } from "./resultFile.js";
import { type Evaluation, resultOf } from "./resultOf.js";
import { distinctSlug, slug } from "./slug.js";

/** Nobody takes an hour to write a file: such a draft was left by a killed process. */
const OLD_DRAFT_MS = 3_600_000;

/** The threshold that per-image numbers are given at: the method's own, or else the one with the best A_MD. */
const ownThreshold = (result: ResultFile): number | null =>
  result.atGamma?.threshold ?? result.maxAmd?.threshold ?? null;

/**
 * Write `results/<dataset>/<method>.json` below a run folder, with the sketch, the per-image table and the example images
 * beside it. Examples are asked for one at a time, so they need not all be in memory.
 */
export async function writeResult(
  runFolder: string,
  evaluation: Evaluation,
  examples: Iterable<Example> | AsyncIterable<Example> = [],
): Promise<WrittenResult> {
  const writer = await ResultWriter.open(runFolder, evaluation);
  for await (const example of examples) await writer.add(example);
  return writer.finish();
}

export interface WrittenResult {
  readonly path: string;
  readonly result: ResultFile;
}

/** The same in steps, for several results from one pass over the examples. */
export class ResultWriter {
  readonly #stem: string;
  readonly #counted: ResultFile;
  readonly #written: ResultFile["examples"] = [];
  readonly #taken = new Set<string>();
  readonly #files: Record<string, string> = {};

  private constructor(stem: string, counted: ResultFile) {
    this.#stem = stem;
    this.#counted = counted;
  }

  /** Each file is written whole. The JSON is removed first and written last: where it is, the rest is. */
  static async open(runFolder: string, evaluation: Evaluation): Promise<ResultWriter> {
    const folder = resultFolder(runFolder, evaluation.dataset);
    const name = slug(evaluation.method);
    const stem = join(folder, name);
    await makeFolder(folder);
    await removeDrafts(folder, OLD_DRAFT_MS);
    await requireOwnPlace(folder, `${name}.json`, evaluation);
    await rm(`${stem}.json`, { force: true });
    const counted = resultOf(evaluation);
    await rm(`${stem}.examples`, { recursive: true, force: true });
    const writer = new ResultWriter(stem, counted);
    await writer.#write(`${stem}.sketch`, writeSketchSet(evaluation.set));
    await writer.#write(`${stem}.csv`, imageTable(imageRows(evaluation.set, ownThreshold(counted))));
    return writer;
  }

  async add(example: Example): Promise<void> {
    const images = `${this.#stem}.examples`;
    await makeFolder(images);
    const { id, width, height, rgb } = example;
    const file = distinctSlug(id, this.#taken);
    for (const [kind, bytes] of Object.entries(await exampleFiles(example, this.#counted.levels))) {
      await this.#write(join(images, `${file}.${kind}`), bytes);
    }
    this.#written.push({ id, file, width, height, image: rgb !== null });
  }

  async finish(): Promise<WrittenResult> {
    const path = `${this.#stem}.json`;
    const result: ResultFile = { ...this.#counted, examples: this.#written, files: this.#files };
    await writeAtomically(path, sealedJson(result, 1));
    return { path, result };
  }

  /** A file beside the result, which answers for it by its sha256. */
  async #write(path: string, content: Uint8Array | string): Promise<void> {
    await writeAtomically(path, content);
    this.#files[basename(path)] = sha256(content);
  }
}

/** Where `writeResult` puts a result. */
export const resultPath = (runFolder: string, dataset: string, method: string): string =>
  join(resultFolder(runFolder, dataset), `${slug(method)}.json`);

/** Named for the data set; a folder that ends in .json, as a list of images does, would be taken for a file. */
const resultFolder = (runFolder: string, dataset: string): string =>
  join(runFolder, "results", slug(dataset).replace(/\.(?=json$)/i, "-"));

/** Names that only differ in odd characters would share a file, and one result would overwrite another. */
async function requireOwnPlace(folder: string, file: string, { dataset, method }: Evaluation): Promise<void> {
  for (const name of (await readdir(folder)).filter((found) => found.endsWith(".json"))) {
    const found = await readResult(join(folder, name)).catch(() => null); // broken: evaluating again mends it
    if (found === null) continue;
    if (found.dataset !== dataset || (name === file && found.method !== method)) {
      throw new UserError(
        `${join(folder, name)} already holds "${found.method}" on "${found.dataset}", not "${method}" on "${dataset}"`,
        { hint: "write to another run folder, or choose another name" },
      );
    }
  }
}
