import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { auroc } from "../metrics/areas.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { contentHash } from "../runs/config.js";
import type { Contender, Group } from "./groups/group.js";
import { measure } from "./measure.js";
import type { MethodName } from "./methodNames.js";
import type { NetworkNames } from "./networkNames.js";
import type { Selection } from "./results/resultFile.js";
import type { PolicyName } from "./results/resultOf.js";

/** Held-out pictures that settings are tried on, evenly spread over the set: trying ten costs ten times as much. */
const TRIED_ON = 40;

export interface ChooserOptions {
  readonly by: Selection;
  /** The pictures that decide: held-out source, or the test itself. Null: nothing is tried, the first settings count. */
  readonly on: Dataset | null;
  readonly policy: PolicyName;
  readonly height: number;
  /** Where choices are remembered from call to call; nowhere when left out. */
  readonly memory?: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

const memorySchema = z.record(z.string(), z.int().min(0));

/** Chooses the settings of methods (B-12): those with the largest AUROC of telling right pixels from wrong ones. */
export class Chooser {
  readonly by: Selection;
  readonly on: string | null;
  readonly #options: ChooserOptions;
  readonly #names: NetworkNames;
  #known: Record<string, number> | undefined;

  constructor(options: ChooserOptions, names: NetworkNames) {
    this.#names = names;
    this.by = options.on === null ? "fixed" : options.by;
    this.on = options.on?.spec ?? null;
    this.#options = options;
  }

  /** For each method of a group, the place of its settings. */
  async choose(group: Group): Promise<Map<MethodName, number>> {
    const chosen = new Map(group.contenders.map(({ method }) => [method, 0]));
    const { on } = this.#options;
    if (on === null) return chosen;
    const known = await this.#remembered();
    const open: Contender[] = [];
    for (const one of group.contenders.filter(({ settings }) => settings.length > 1)) {
      const place = known[await this.#key(one)];
      if (place === undefined) open.push(one);
      else chosen.set(one.method, place);
    }
    if (open.length === 0) return chosen;
    for (const [method, place] of await this.#tryAll(group, open, on)) {
      chosen.set(method, place);
      known[await this.#key(open.find((one) => one.method === method)!)] = place;
    }
    await this.#remember(known);
    return chosen;
  }

  async #tryAll(group: Group, open: readonly Contender[], on: Dataset): Promise<Map<MethodName, number>> {
    const { policy, height, onProgress } = this.#options;
    const tries = open.flatMap(({ method, settings }) => settings.map((_, setting) => ({ method, setting })));
    const predictor = group.open(tries);
    const items = this.by === "source-val" ? evenlySpread(on.items, TRIED_ON) : on.items;
    const counted = await measure(predictor, policy, {
      dataset: on,
      items,
      height,
      onProgress: (done, total) => onProgress?.("choosing settings on", done, total),
    }).finally(() => predictor.close());
    const best = new Map<MethodName, { readonly place: number; readonly score: number }>();
    for (const [i, { method, setting }] of tries.entries()) {
      // Where every pixel is right nothing can be told apart: the first settings stay.
      const score = auroc(counted[i]!.set.total).value ?? 0.5;
      if (score > (best.get(method)?.score ?? Number.NEGATIVE_INFINITY)) best.set(method, { place: setting, score });
    }
    return new Map([...best].map(([method, { place }]) => [method, place]));
  }

  /** Everything a choice depends on. */
  async #key({ method, settings }: Contender): Promise<string> {
    const { policy, height } = this.#options;
    const { fingerprint } = await this.#names.of(method);
    return `${method} ${contentHash({ fingerprint, settings, policy, height, on: this.on })}`;
  }

  async #remembered(): Promise<Record<string, number>> {
    if (this.#known !== undefined) return this.#known;
    const { memory } = this.#options;
    const text = memory === undefined ? "{}" : await readFile(memory, "utf8").catch(() => "{}");
    // A file that cannot be read costs another try, nothing more.
    this.#known = memorySchema.catch({}).parse(parsed(text));
    return this.#known;
  }

  async #remember(known: Record<string, number>): Promise<void> {
    const { memory } = this.#options;
    if (memory === undefined) return;
    await mkdir(dirname(memory), { recursive: true });
    await writeAtomically(memory, `${JSON.stringify(known, null, 1)}\n`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
