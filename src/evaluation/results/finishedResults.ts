import { readFile } from "node:fs/promises";
import type { BaselineOptions } from "../baselineOptions.js";
import type { Chooser } from "../chooser.js";
import { choosesSettings, type MethodName } from "../methodNames.js";
import type { NetworkNames } from "../networkNames.js";
import { parseResult, type ResultFile } from "./resultFile.js";
import { resultPath } from "./writeResult.js";

export interface Wanted {
  readonly folder: string;
  readonly dataset: string;
  readonly methods: readonly MethodName[];
  readonly names: NetworkNames;
  readonly policy: string;
  readonly chooser: Chooser;
  readonly baselines: BaselineOptions;
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

function isCurrent(result: ResultFile, fingerprint: string, wanted: Omit<Wanted, "methods">): boolean {
  const { dataset, network, policy } = result;
  const sameSubject =
    dataset === wanted.dataset && network?.fingerprint === fingerprint && policy.name === wanted.policy;
  return sameSubject && sameChoice(result, wanted) && sameOptions(result, wanted.baselines);
}

/** Settings that may be chosen were chosen in the same way. */
function sameChoice({ method, chosen }: ResultFile, { chooser, baselines }: Omit<Wanted, "methods">): boolean {
  const swept = method.startsWith("mc-dropout") && baselines.rates.length * baselines.passes.length > 1;
  if (!swept && !choosesSettings(method)) return true;
  return chosen?.by === chooser.by && chosen.on === chooser.on;
}

/** Settings that are said beforehand are those said now. */
function sameOptions({ chosen }: ResultFile, { average, prior, rates, passes }: BaselineOptions): boolean {
  const settings = chosen?.settings ?? {};
  const student = "learns" in settings;
  const among = { average: [average], prior: [prior], rate: rates, draws: passes };
  return Object.entries(among).every(([name, possible]) => {
    const said: readonly (string | number)[] = student ? possible.slice(0, 1) : possible;
    return settings[name] === undefined || said.includes(settings[name]);
  });
}
