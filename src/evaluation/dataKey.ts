import { createHash } from "node:crypto";
import { dataFingerprint } from "../data/datasets/dataFingerprint.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { choosesSettings, type Method } from "../methods/method.js";
import type { PrepareContext } from "./prepare/context.js";

/** sha256 of all data that the numbers of a method depend on: what is measured, and what it was fitted and chosen on. */
export async function dataKey(
  method: Method,
  dataset: Dataset,
  { source, validation, choosing, baselines }: Pick<PrepareContext, "source" | "validation" | "choosing" | "baselines">,
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
