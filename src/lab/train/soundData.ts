import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type CheckOptions, checkDataset, type DatasetCheck } from "../../data/datasets/checkDataset.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { findLeaks } from "../../data/datasets/leaks.js";
import { openDataset } from "../../data/datasets/openDataset.js";
import { UserError } from "../../errors.js";
import { contentHash } from "./config.js";

/** Problems that are spelled out in a refusal; `gssl inspect` lists them all. */
const SPELLED_OUT = 5;

export interface SoundData {
  readonly dataset: Dataset;
  readonly check: DatasetCheck;
}

/** Open a data set and look at every picture and label in it. One with an error is refused: nothing may fail after step 0. */
export async function openSound(
  spec: string,
  { cache, onProgress }: { readonly cache: string; readonly onProgress?: CheckOptions["onProgress"] },
): Promise<SoundData> {
  const dataset = await openDataset(spec, { cache: join(cache, "scenes") });
  const memories = join(cache, "checks");
  await mkdir(memories, { recursive: true });
  const remembered = join(memories, `${contentHash(dataset.spec).slice(0, 16)}.json`);
  const check = await checkDataset(dataset, { remembered, ...(onProgress && { onProgress }) });
  const errors = check.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const lines = errors.slice(0, SPELLED_OUT).map(({ message, hint }) => (hint ? `${message} (${hint})` : message));
    const more = errors.length > SPELLED_OUT ? [`and ${errors.length - SPELLED_OUT} more`] : [];
    throw new UserError(`${dataset.spec} cannot be learned from:\n  ${[...lines, ...more].join("\n  ")}`, {
      hint: `see all of it with: gssl inspect '${spec}'`,
    });
  }
  return { dataset, check };
}

/** Pictures that are learned from, labels or not, must not be measured on. */
export async function refuseLeaks(trained: SoundData, measured: SoundData): Promise<void> {
  const leaks = (await findLeaks(trained, measured)).filter(({ severity }) => severity === "error");
  if (leaks.length === 0) return;
  throw new UserError(
    `${trained.dataset.spec} and ${measured.dataset.spec} share ${leaks.length} pictures, e.g. ${leaks[0]!.message}`,
    { hint: `see all of them with: gssl inspect '${trained.dataset.spec}' '${measured.dataset.spec}'` },
  );
}
