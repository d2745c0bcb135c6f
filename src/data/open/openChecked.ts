import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { checkDataset, type DatasetCheck } from "../datasets/checkDataset.js";
import type { Dataset } from "../datasets/dataset.js";
import { openDataset } from "./openDataset.js";

/** A data set, and what a look at all of it found. */
export interface CheckedDataset {
  readonly dataset: Dataset;
  readonly check: DatasetCheck;
}

export interface OpenCheckedOptions {
  /** Folder where drawn scenes and remembered checks are kept. */
  readonly cache: string;
  readonly onProgress?: (what: "preparing" | "checking", done: number, total: number) => void;
}

/** Open a data set and check it. What one command has checked, another does not check again. */
export async function openChecked(spec: string, { cache, onProgress }: OpenCheckedOptions): Promise<CheckedDataset> {
  const telling = (what: "preparing" | "checking") => (done: number, total: number) => onProgress?.(what, done, total);
  const dataset = await openDataset(spec, { cache, onProgress: telling("preparing") });
  // Specs hold paths as they were typed, so the folder they were typed in is part of what they mean.
  const key = createHash("sha256")
    .update(`${resolve(".")}\n${dataset.spec}`)
    .digest("hex")
    .slice(0, 24);
  const remembered = join(cache, "checks", `${key}.json`);
  return { dataset, check: await checkDataset(dataset, { remembered, onProgress: telling("checking") }) };
}
