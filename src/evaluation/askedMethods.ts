import { onAdapted } from "../methods/onAdapted.js";
import type { Method } from "../methods/parts/method.js";
import { methodNamed, methods } from "../methods/registry.js";
import { UserError } from "../platform/errors.js";
import type { TrainConfig } from "../runs/config.js";

/** The method that a run was trained for: γ-SSL, or NoSSL where it ended before the target. A supervised run has none. */
export function ownMethod(config: TrainConfig, among: readonly Method[] = methods): Method | null {
  if (config.method === "supervised") return null;
  const network = config.options.training.adaptation > 0 ? "adapted" : "source";
  return among.find((method) => method.kind === "prototypes" && method.network === network) ?? null;
}

/** Whether a run ended in a network that was adapted to a target. */
const isAdapted = (config: TrainConfig): boolean =>
  config.method === "gamma-ssl" && config.options.training.adaptation > 0;

/** Whether a run has the network of a method: prototypes need its projection. */
function hasMethod(config: TrainConfig, method: Method, among: readonly Method[]): boolean {
  const own = ownMethod(config, among);
  if (method.kind === "prototypes") return method.network === "adapted" ? method === own : own !== null;
  return method.network !== "adapted" || isAdapted(config);
}

/** The methods that a run has, without the variants on its adapted network. */
export const methodsOf = (config: TrainConfig, among: readonly Method[] = methods): Method[] =>
  among.filter((method) => hasMethod(config, method, among));

/** Those of some methods that a run has. */
export const methodsFor = (config: TrainConfig, asked: readonly Method[]): Method[] =>
  asked.filter((method) => hasMethod(config, method, methods));

/** The methods that were asked for: "all", names joined by commas, or the quick ones by default. Some run has them. */
export function askedMethods(
  configs: readonly TrainConfig[],
  asked: string | undefined,
  among: readonly Method[] = methods,
): Method[] {
  const had = (method: Method): boolean => configs.some((config) => hasMethod(config, method, among));
  const known = among.filter(had);
  if (asked === undefined) {
    const own = configs.map((config) => ownMethod(config, among));
    return known.filter((method) => method.quick || own.includes(method));
  }
  if (asked === "all") return known.filter(({ onRequest }) => !onRequest);
  const wanted = asked.split(",").map((name) => {
    const text = name.trim();
    const there = among.some((method) => method.name === text) && !known.some((method) => method.name === text);
    const method = methodNamed(text, there ? among : known, ["all"]);
    if (had(method)) return method;
    throw new UserError(`there is no method "${method.name}" in these runs: ${missing(method)}`, {
      hint: "name a run of γ-SSL with --target that was trained to its end",
    });
  });
  const all = known.flatMap((method) => [method, onAdapted(method)]);
  return all.filter((method) => method !== null && wanted.includes(method)) as Method[];
}

const missing = ({ kind, network }: Method): string =>
  network === "adapted" ? "none of them was adapted to a target" : `they have no ${kind}`;

/** Whether a method is fitted on held-out images of the source, beside having settings chosen on them. */
export const needsHeldOut = (method: Method): boolean => method.kind === "one-pass" && method.needsHeldOut === true;
