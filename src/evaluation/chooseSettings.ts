import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import type { Settings } from "../methods/method.js";
import { auroc } from "../metrics/areas.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { contentHash } from "../runs/config.js";
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
  readonly networks: NetworkNames;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** How a choice between settings was made, as a result has it. */
export interface ChoiceMade {
  readonly by: Selection;
  readonly among: number;
  readonly on: string | null;
}

export function choiceMade(settings: readonly Settings[], { by, on }: Choosing): ChoiceMade {
  if (settings.length < 2 || on === null) return { by: "fixed", among: 1, on: null };
  return { by, among: settings.length, on: on.spec };
}

/**
 * For each method, the index of its settings (B-12): those with the largest AUROC of telling right pixels from wrong ones. Choices
 * that were made before are read from the memory.
 */
export async function chooseSettings(prepared: Prepared, choosing: Choosing): Promise<Map<string, number>> {
  const chosen = new Map(prepared.methods.map(({ method }) => [method.name, 0]));
  if (choosing.on === null) return chosen;
  const known = await remembered(choosing);
  const open: PreparedMethod[] = [];
  for (const one of prepared.methods.filter(({ settings }) => settings.length > 1)) {
    const index = known[await keyOf(one, choosing)];
    if (index === undefined) open.push(one);
    else chosen.set(one.method.name, index);
  }
  if (open.length === 0) return chosen;
  const best = await tryAll(prepared, open, choosing.on, choosing);
  for (const one of open) {
    const index = best.get(one.method.name)!;
    chosen.set(one.method.name, index);
    known[await keyOf(one, choosing)] = index;
  }
  await mkdir(dirname(choosing.memory), { recursive: true });
  await writeAtomically(choosing.memory, `${JSON.stringify(known, null, 1)}\n`);
  return chosen;
}

async function tryAll(
  prepared: Prepared,
  open: readonly PreparedMethod[],
  on: Dataset,
  { by, policy, height, onProgress }: Choosing,
): Promise<Map<string, number>> {
  const tries = open.flatMap(({ method: { name }, settings }) => settings.map((_, setting) => ({ name, setting })));
  const predictor = prepared.predictor(tries);
  const items = by === "source-val" ? evenlySpread(on.items, TRIED_ON) : on.items;
  const counted = await measure(predictor, policy, {
    dataset: on,
    items,
    height,
    onProgress: (done, total) => onProgress?.("choosing settings on", done, total),
  }).finally(() => predictor.close());
  const best = new Map<string, { readonly setting: number; readonly score: number }>();
  for (const [i, { name, setting }] of tries.entries()) {
    // Where every pixel is right nothing can be told apart: the first settings stay.
    const score = auroc(counted[i]!.set.total).value ?? 0.5;
    if (score > (best.get(name)?.score ?? Number.NEGATIVE_INFINITY)) best.set(name, { setting, score });
  }
  return new Map([...best].map(([name, { setting }]) => [name, setting]));
}

/** Everything a choice depends on. */
async function keyOf(
  { method, settings }: PreparedMethod,
  { policy, height, on, networks }: Choosing,
): Promise<string> {
  const { fingerprint } = await networks.of(method);
  return `${method.name} ${contentHash({ fingerprint, settings, policy, height, on: on?.spec ?? null })}`;
}

const memorySchema = z.record(z.string(), z.int().min(0));

/** A file that cannot be read costs another try, nothing more. */
async function remembered({ memory }: Choosing): Promise<Record<string, number>> {
  const text = await readFile(memory, "utf8").catch(() => "{}");
  try {
    return memorySchema.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
