import { createHash } from "node:crypto";
import { dataFingerprint } from "../data/datasets/dataFingerprint.js";
import type { Dataset } from "../data/datasets/dataset.js";
import type { BaselineOptions } from "../methods/parts/baselineOptions.js";
import { choosesSettings, type Method, type Settings, settingsOf } from "../methods/parts/method.js";
import { gammaOfRun } from "../runs/gammaOfRun.js";
import type { TrainedRun } from "../runs/openRun.js";
import { workKey } from "../runs/workKey.js";
import type { Choosing } from "./chooseSettings.js";
import type { NetworkNames } from "./networkNames.js";

/** How methods are fitted and chosen. */
export interface KeyContext {
  readonly run: TrainedRun;
  readonly source: Dataset;
  readonly validation: Dataset | null;
  readonly baselines: BaselineOptions;
  readonly choosing: Pick<Choosing, "by" | "on" | "policy"> & { readonly networks: Pick<NetworkNames, "of"> };
}

/** What measures methods. */
const MEASURING = new URL("./evaluateRun.js", import.meta.url).href;

/** Of everything that choosing between some settings of a method depends on. */
export async function choiceKey(method: Method, candidates: readonly Settings[], context: KeyContext): Promise<string> {
  const { by, policy } = context.choosing;
  return keyOf(method, await dataKey(method, null, context), { by, policy, candidates }, context);
}

/** Of everything that the result of a method on a data set depends on. */
export async function resultKey(method: Method, dataset: Dataset, context: KeyContext): Promise<string> {
  const { run, choosing, baselines } = context;
  const { by, on, policy } = choosing;
  const candidates = [method, ...(method.kind === "adversarial" ? [method.basis] : [])].map((one) =>
    settingsOf(one, { options: baselines, fitted: null, basis: {} }),
  );
  // How settings are chosen is of no interest where there is nothing to choose.
  const choice = candidates.some(({ length }) => length > 1) ? { by, on: on?.spec ?? null } : null;
  const hasGamma = method.kind === "prototypes" && method.network === "adapted";
  const gamma = hasGamma ? ((await gammaOfRun(run))?.gamma ?? null) : null;
  const data = await dataKey(method, dataset, context);
  return keyOf(method, data, { dataset: dataset.spec, policy, candidates, choice, gamma }, context);
}

async function keyOf(method: Method, data: string, options: object, { run, choosing }: KeyContext): Promise<string> {
  const { fingerprint: weights } = await choosing.networks.of(method);
  return workKey({ method, weights, data, config: run.config, module: MEASURING, options });
}

/** sha256 of all data that the numbers of a method depend on: what is measured, and what it was fitted and chosen on. */
export async function dataKey(
  method: Method,
  dataset: Dataset | null,
  { source, validation, choosing, baselines }: KeyContext,
): Promise<string> {
  const used = {
    measured: dataset,
    fitted: fittedOn(method) === "source" ? source : fittedOn(method) === "held-out" ? validation : null,
    chosen: choosesSettings(method, baselines) ? choosing.on : null,
  };
  const hash = createHash("sha256");
  for (const [role, data] of Object.entries(used)) {
    if (data !== null) hash.update(`${role} ${await dataFingerprint(data)}\n`);
  }
  return hash.digest("hex");
}

function fittedOn(method: Method): "source" | "held-out" | null {
  if (method.kind === "prototypes") return "source";
  if (method.kind === "draws") return null;
  const { fit, needsHeldOut } = method.kind === "adversarial" ? method.basis : method;
  return fit === undefined ? null : needsHeldOut ? "held-out" : "source";
}
