import { dirname } from "node:path";
import * as z from "zod";
import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import type { Method, Settings } from "../methods/parts/method.js";
import { auroc } from "../metrics/areas.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { makeFolder } from "../platform/files.js";
import { readJsonIfSound } from "../platform/json.js";
import { measure } from "./measure.js";
import type { NetworkNames } from "./networkNames.js";
import type { Prepared, PreparedMethod } from "./prepare/prepared.js";
import type { Selection } from "./results/resultFile.js";
import type { PolicyName } from "./results/resultOf.js";

/** Held-out images that settings are tried on, evenly spread over the set: trying ten costs ten times as much. */
const TRIED_ON = 40;

/** How the settings of methods are chosen. */
export interface Choosing {
  readonly by: Selection;
  /** The images that decide: held-out source, or the test itself. Null: nothing is tried, the first settings count. */
  readonly on: Dataset | null;
  readonly policy: PolicyName;
  readonly height: number;
  /** File in which choices are remembered from call to call. */
  readonly memory: string;
  /** Of everything that choosing between some settings of a method depends on. */
  readonly keyOf: (method: Method, candidates: readonly Settings[]) => Promise<string>;
  readonly networks: NetworkNames;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** How a choice between settings was made, as a result has it. */
export interface ChoiceMade {
  readonly by: Selection;
  readonly among: number;
  readonly on: string | null;
}

export function choiceMade({ entries }: PreparedMethod, { by, on }: Choosing): ChoiceMade {
  if (entries.length < 2 || on === null) return { by: "fixed", among: 1, on: null };
  return { by, among: entries.length, on: on.spec };
}

/**
 * For each prepared method, the index of its settings (B-12): those with the largest AUROC of telling right pixels from wrong
 * ones. Choices that were made before are read from the memory.
 */
export async function chooseSettings(prepared: Prepared, choosing: Choosing): Promise<number[]> {
  const { methods } = prepared;
  const { on, memory } = choosing;
  if (on === null) return methods.map(() => 0);
  const known = await remembered(choosing);
  const keys = await Promise.all(methods.map((method) => memoryKey(method, choosing)));
  const open = methods.filter(({ entries }, i) => entries.length > 1 && known[keys[i]!] === undefined);
  if (open.length > 0) {
    const best = await tryAll({ ...prepared, methods: open }, on, choosing);
    for (const [i, method] of open.entries()) known[keys[methods.indexOf(method)]!] = best[i]!;
    await makeFolder(dirname(memory));
    await writeAtomically(memory, `${JSON.stringify(known, null, 1)}\n`);
  }
  return methods.map(({ entries }, i) => (entries.length > 1 ? known[keys[i]!]! : 0));
}

async function tryAll(
  { methods, predictor: open }: Prepared,
  on: Dataset,
  { by, policy, height, onProgress }: Choosing,
): Promise<number[]> {
  const predictor = open(methods.flatMap(({ entries }) => entries));
  const items = by === "source-val" ? evenlySpread(on.items, TRIED_ON) : on.items;
  const counted = await measure(predictor, policy, {
    dataset: on,
    items,
    height,
    onProgress: (done, total) => onProgress?.("choosing settings on", done, total),
  }).finally(() => predictor.close());
  // Where every pixel is right nothing can be told apart: the first settings stay.
  const scores = counted.map(({ set }) => auroc(set.total).value ?? 0.5);
  return methods.map(({ entries }) => {
    const own = scores.splice(0, entries.length);
    return own.reduce((best, score, i) => (score > own[best]! ? i : best), 0);
  });
}

async function memoryKey({ method, entries }: PreparedMethod, { keyOf }: Choosing): Promise<string> {
  const key = await keyOf(
    method,
    entries.map(({ settings }) => settings),
  );
  return `${method.name} ${key}`;
}

const memorySchema = z.record(z.string(), z.int().min(0));

/** A file that cannot be read costs another try, nothing more. */
async function remembered({ memory }: Choosing): Promise<Record<string, number>> {
  return (await readJsonIfSound(memory, { schema: memorySchema, hint: "" })) ?? {};
}
