import { UserError } from "../../../errors.js";
import { type Kin, kinOf, type MethodName } from "../methodNames.js";
import { finalNetwork, sourceNetwork } from "../restingNetwork.js";
import type { GroupContext } from "./context.js";
import type { Group } from "./group.js";
import { ownGroup, sourceGroup } from "./sourceGroup.js";

/** Methods by the network they look through, in the order in which they were asked for. */
export function byKin(methods: readonly MethodName[]): Map<Kin, MethodName[]> {
  const groups = new Map<Kin, MethodName[]>();
  for (const name of methods) groups.set(kinOf[name], [...(groups.get(kinOf[name]) ?? []), name]);
  return groups;
}

/** Make methods of one kind ready: networks read, scorers fitted or found. */
export function openGroup(context: GroupContext, kin: Kin, methods: readonly MethodName[]): Promise<Group> {
  if (kin === "own") return ownGroup(context);
  if (kin === "source") return sourceGroup(context, methods);
  throw new UserError(`${methods.join(", ")}: not there yet`);
}

/** Which weights methods of one kind look through: cheap to know, unlike a group that is ready. */
export async function networkOfKin({ run }: GroupContext, kin: Kin): Promise<Group["network"]> {
  const { file, fingerprint } = kin === "own" ? finalNetwork(run) : await sourceNetwork(run);
  return { file, fingerprint };
}
