import { type Kin, kinOf, type MethodName } from "../methodNames.js";
import { adversarialGroup } from "./adversarialGroup.js";
import { distilledGroup, spectralGroup } from "./baselineGroups.js";
import type { GroupContext } from "./context.js";
import { ensembleGroup } from "./ensembleGroup.js";
import type { Group } from "./group.js";
import { mcDropoutGroup } from "./mcDropoutGroup.js";
import type { OnePassGroup } from "./onePassGroup.js";
import { ownGroup, sourceGroup } from "./sourceGroup.js";

/** Methods by the network they look through, in the order in which they were asked for. */
export function byKin(methods: readonly MethodName[]): Map<Kin, MethodName[]> {
  const groups = new Map<Kin, MethodName[]>();
  for (const name of methods) groups.set(kinOf[name], [...(groups.get(kinOf[name]) ?? []), name]);
  return groups;
}

/** Make methods of one kind ready: networks read, scorers fitted or found. Networks of baselines must have been trained. */
export async function openGroup(context: GroupContext, kin: Kin, methods: readonly MethodName[]): Promise<Group> {
  switch (kin) {
    case "adversarial":
      return adversarialGroup(context, methods);
    case "mc-dropout":
      return mcDropoutGroup(context, methods);
    case "ensemble":
      return ensembleGroup(context, methods);
    default:
      return openOnePass(context, kin, methods);
  }
}

/** Kinds of methods that need no more than one pass of one network. */
export type OnePassKin = Exclude<Kin, "adversarial" | "mc-dropout" | "ensemble">;

/** The same for those. */
export async function openOnePass(
  context: GroupContext,
  kin: OnePassKin,
  methods: readonly MethodName[],
): Promise<OnePassGroup> {
  switch (kin) {
    case "own":
      return ownGroup(context);
    case "source":
      return sourceGroup(context, methods);
    case "distilled":
      return distilledGroup(context, "mcd-dsl");
    case "distilled-head":
      return distilledGroup(context, "mcd-dsl-head");
    case "spectral":
      return spectralGroup(context);
  }
}
