import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeSketchSet } from "../../metrics/sketchBytes.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { UserError } from "../../platform/errors.js";
import { type Example, writeExample } from "./examples.js";
import { imageRows, imageTable } from "./imageTable.js";
import { parseResult, type ResultFile } from "./resultFile.js";
import { type Evaluation, resultOf } from "./resultOf.js";
import { distinctSlug, slug } from "./slug.js";

/** The threshold that per-image numbers are given at: the method's own, or else the one with the best A_MD. */
export const ownThreshold = (result: ResultFile): number | null =>
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

/** The same in steps, for whoever has several results to write from one look at each example. */
export class ResultWriter {
  readonly #stem: string;
  readonly #counted: ResultFile;
  readonly #written: ResultFile["examples"] = [];
  readonly #taken = new Set<string>();

  private constructor(stem: string, counted: ResultFile) {
    this.#stem = stem;
    this.#counted = counted;
  }

  /** Each file is written whole. The JSON goes first and comes last: whoever finds it finds the rest as well. */
  static async open(runFolder: string, evaluation: Evaluation): Promise<ResultWriter> {
    const folder = join(runFolder, "results", slug(evaluation.dataset));
    const name = slug(evaluation.method);
    const stem = join(folder, name);
    await mkdir(folder, { recursive: true });
    await requireOwnPlace(folder, `${name}.json`, evaluation);
    await rm(`${stem}.json`, { force: true });
    const counted = resultOf(evaluation);
    await writeAtomically(`${stem}.sketch`, writeSketchSet(evaluation.set));
    await writeAtomically(`${stem}.csv`, imageTable(imageRows(evaluation.set, ownThreshold(counted))));
    await rm(`${stem}.examples`, { recursive: true, force: true });
    return new ResultWriter(stem, counted);
  }

  async add(example: Example): Promise<void> {
    const images = `${this.#stem}.examples`;
    await mkdir(images, { recursive: true });
    const { id, width, height, rgb } = example;
    const file = distinctSlug(id, this.#taken);
    await writeExample(images, file, example, this.#counted.levels);
    this.#written.push({ id, file, width, height, image: rgb !== null });
  }

  async finish(): Promise<WrittenResult> {
    const path = `${this.#stem}.json`;
    const result: ResultFile = { ...this.#counted, examples: this.#written };
    await writeAtomically(path, formatResult(result));
    return { path, result };
  }
}

/** Where `writeResult` puts a result. */
export const resultPath = (runFolder: string, dataset: string, method: string): string =>
  join(runFolder, "results", slug(dataset), `${slug(method)}.json`);

export const formatResult = (result: ResultFile): string => `${JSON.stringify(result, null, 1)}\n`;

/** Names that only differ in odd characters would share a file, and one result would overwrite another. */
async function requireOwnPlace(folder: string, file: string, { dataset, method }: Evaluation): Promise<void> {
  for (const name of (await readdir(folder)).filter((found) => found.endsWith(".json"))) {
    const found = await readNames(join(folder, name));
    if (found === undefined) continue;
    if (found.dataset !== dataset || (name === file && found.method !== method)) {
      throw new UserError(
        `${join(folder, name)} already holds "${found.method}" on "${found.dataset}", not "${method}" on "${dataset}"`,
        { hint: "write to another run folder, or choose another name" },
      );
    }
  }
}

/** Undefined for a broken file: evaluating again is how it is mended. */
async function readNames(path: string): Promise<Pick<ResultFile, "dataset" | "method"> | undefined> {
  try {
    return parseResult(await readFile(path, "utf8"), path);
  } catch {
    return undefined;
  }
}
