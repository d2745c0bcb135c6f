import type { BaselineOptions } from "../../methods/baselineOptions.js";
import { choosesSettings, type Method } from "../../methods/method.js";
import { UserError } from "../../platform/errors.js";
import type { Choosing } from "../chooseSettings.js";
import { checkFiles } from "./openResults.js";
import { type ResultFile, readResult } from "./resultFile.js";
import { resultPath } from "./writeResult.js";

export interface Wanted {
  readonly folder: string;
  readonly dataset: string;
  readonly methods: readonly Method[];
  readonly policy: string;
  readonly choosing: Choosing;
  readonly baselines: BaselineOptions;
  /** Of the data that the numbers of a method depend on. */
  readonly dataKey: (method: Method) => Promise<string>;
}

/**
 * Results that an earlier call has written and that would come out the same: of these weights and data, with settings chosen the
 * same way.
 * Anything else, a broken file included, is measured again.
 */
export async function finishedResults({ methods, ...wanted }: Wanted): Promise<Map<Method, ResultFile>> {
  const found = new Map<Method, ResultFile>();
  for (const method of methods) {
    const result = await soundResult(resultPath(wanted.folder, wanted.dataset, method.name));
    const { fingerprint } = await wanted.choosing.networks.of(method);
    if (result?.method !== method.name || !isCurrent(result, method, fingerprint, wanted)) continue;
    if (result.data === (await wanted.dataKey(method))) found.set(method, result);
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

function isCurrent(result: ResultFile, method: Method, fingerprint: string, wanted: Omit<Wanted, "methods">): boolean {
  const { dataset, network, policy } = result;
  const sameSubject =
    dataset === wanted.dataset && network?.fingerprint === fingerprint && policy.name === wanted.policy;
  return sameSubject && sameChoice(result, method, wanted) && sameOptions(result, wanted.baselines);
}

/** Settings that may be chosen were chosen in the same way. */
function sameChoice(
  { chosen }: ResultFile,
  method: Method,
  { choosing: { by, on }, baselines }: Omit<Wanted, "methods">,
): boolean {
  if (!choosesSettings(method, baselines)) return true;
  return on === null ? chosen?.by === "fixed" && chosen.on === null : chosen?.by === by && chosen.on === on.spec;
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
