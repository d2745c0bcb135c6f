import type { Method } from "../../methods/parts/method.js";
import { UserError } from "../../platform/errors.js";
import { checkFiles } from "./openResults.js";
import { type ResultFile, readResult } from "./resultFile.js";
import { resultPath } from "./writeResult.js";

export interface Wanted {
  readonly folder: string;
  readonly dataset: string;
  readonly methods: readonly Method[];
  /** Images that a result must at least have kept. */
  readonly examples: number;
  /** Of everything that the result of a method depends on. */
  readonly keyOf: (method: Method) => Promise<string>;
}

/**
 * Results that an earlier call has written and that would come out the same. Anything else, a broken file included, is measured
 * again.
 */
export async function finishedResults(wanted: Wanted): Promise<Map<Method, ResultFile>> {
  const { folder, dataset, methods, examples, keyOf } = wanted;
  const found = new Map<Method, ResultFile>();
  for (const method of methods) {
    const result = await soundResult(resultPath(folder, dataset, method.name));
    if (result === null || result.examples.length < examples) continue;
    if (result.key === (await keyOf(method))) found.set(method, result);
  }
  return found;
}

/** A result whose files are all there and as they were written; else null. */
async function soundResult(path: string): Promise<ResultFile | null> {
  try {
    const result = await readResult(path);
    await checkFiles({ path, result });
    return result;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
