import { readFile } from "node:fs/promises";
import type { Chooser } from "./chooser.js";
import type { MethodName } from "./methodNames.js";
import type { NetworkNames } from "./networkNames.js";
import { parseResult, type ResultFile } from "./resultFile.js";
import { resultPath } from "./writeResult.js";

export interface Wanted {
  readonly folder: string;
  readonly dataset: string;
  readonly methods: readonly MethodName[];
  readonly names: NetworkNames;
  readonly policy: string;
  readonly chooser: Chooser;
}

/**
 * Results that an earlier call has written and that would come out the same: of these weights, with settings chosen the same way.
 * Anything else, a broken file included, is measured again.
 */
export async function finishedResults({ methods, ...wanted }: Wanted): Promise<Map<MethodName, ResultFile>> {
  const found = new Map<MethodName, ResultFile>();
  for (const method of methods) {
    const result = await readResult(resultPath(wanted.folder, wanted.dataset, method));
    const { fingerprint } = await wanted.names.of(method);
    if (result?.method === method && isCurrent(result, fingerprint, wanted)) found.set(method, result);
  }
  return found;
}

async function readResult(path: string): Promise<ResultFile | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  try {
    return text === null ? null : parseResult(text, path);
  } catch {
    return null;
  }
}

function isCurrent(
  { dataset, network, policy, chosen }: ResultFile,
  fingerprint: string,
  wanted: Omit<Wanted, "methods">,
): boolean {
  const sameChoice =
    chosen === null || chosen.among === 1 || (chosen.by === wanted.chooser.by && chosen.on === wanted.chooser.on);
  return (
    dataset === wanted.dataset && network?.fingerprint === fingerprint && policy.name === wanted.policy && sameChoice
  );
}
