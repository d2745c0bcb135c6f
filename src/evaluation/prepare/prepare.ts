import type { Method } from "../../methods/parts/method.js";
import { prepareAdversarial } from "./adversarial.js";
import type { PrepareContext } from "./context.js";
import { prepareEnsembles, prepareMcDropout } from "./draws.js";
import { prepareOnePass } from "./onePass.js";
import type { Prepared } from "./prepared.js";

/** Methods that share their passes: the same kind of passes through the same network. In the order in which they were asked for. */
export function byNetwork(methods: readonly Method[]): Method[][] {
  const groups = new Map<string, Method[]>();
  for (const method of methods) groups.set(passesOf(method), [...(groups.get(passesOf(method)) ?? []), method]);
  return [...groups.values()];
}

/** Small ensembles are the first members of a large one, so all of them share their passes. */
function passesOf({ kind, network }: Method): string {
  const passes = kind === "prototypes" ? "one-pass" : kind;
  const through = typeof network === "object" && network.kind === "ensemble" ? { kind: network.kind } : network;
  return JSON.stringify([passes, through]);
}

/** Prepare methods that share their passes: networks read, statistics read or fitted. Networks of their own must have been trained. */
export function prepare(context: PrepareContext, methods: readonly Method[]): Promise<Prepared> {
  const adversarial = methods.filter((method) => method.kind === "adversarial");
  if (adversarial.length > 0) return prepareAdversarial(context, adversarial);
  const draws = methods.filter((method) => method.kind === "draws");
  if (draws.some(({ network }) => network.kind === "ensemble")) return prepareEnsembles(context, draws);
  if (draws.length > 0) return prepareMcDropout(context, draws);
  return prepareOnePass(
    context,
    methods.filter((method) => method.kind === "one-pass" || method.kind === "prototypes"),
  );
}
