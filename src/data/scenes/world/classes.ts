import { cityscapesClasses } from "../../labels/cityscapes.js";

/** Scenes are drawn in the 19 Cityscapes training classes. */
export const classes = cityscapesClasses;

export type ClassName = (typeof classes)[number]["name"] | "unknown";

/** Something the labelled city has no class for: whatever is predicted here is wrong. */
export const UNKNOWN_ID = 19;

const idOf = new Map<string, number>([...classes.map(({ name }, id) => [name, id] as const), ["unknown", UNKNOWN_ID]]);

/** Train id of a class, 19 for "unknown". */
export function classId(name: ClassName): number {
  return idOf.get(name)!;
}
