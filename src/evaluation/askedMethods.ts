import type { Method } from "../methods/method.js";
import { methodNamed, methods } from "../methods/registry.js";
import type { TrainConfig } from "../runs/config.js";

/** The method that a run was trained for: γ-SSL, or NoSSL where it ended before the target. A supervised run has none. */
export function ownMethod(config: TrainConfig, among: readonly Method[] = methods): Method | null {
  if (config.method === "supervised") return null;
  const network = config.options.training.adaptation > 0 ? "adapted" : "source";
  return among.find((method) => method.kind === "prototypes" && method.network === network) ?? null;
}

/** The methods that a run has: those without a projection in its network have no prototypes. */
export function methodsOf(config: TrainConfig, among: readonly Method[] = methods): Method[] {
  const own = ownMethod(config, among);
  return among.filter((method) =>
    method.network === "adapted" ? method === own : method.kind !== "prototypes" || own,
  );
}

/** The methods that were asked for: "all", names joined by commas, or the quick ones by default. Some run has them. */
export function askedMethods(
  configs: readonly TrainConfig[],
  asked: string | undefined,
  among: readonly Method[] = methods,
): Method[] {
  const had = new Set(configs.flatMap((config) => methodsOf(config, among)));
  const known = among.filter((method) => had.has(method));
  if (asked === undefined) {
    const own = configs.map((config) => ownMethod(config, among));
    return known.filter((method) => method.quick || own.includes(method));
  }
  if (asked === "all") return known.filter(({ onRequest }) => !onRequest);
  const wanted = asked.split(",").map((name) => methodNamed(name.trim(), known, ["all"]));
  return known.filter((method) => wanted.includes(method));
}

/** Whether a method is fitted on held-out images of the source, beside having settings chosen on them. */
export const needsHeldOut = (method: Method): boolean => method.kind === "one-pass" && method.needsHeldOut === true;
