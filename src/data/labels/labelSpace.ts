/** Nothing of ours: an object that the class list has no class for. Whatever is predicted here is wrong. */
export const UNKNOWN_LABEL = 254;

export { VOID_LABEL } from "../../platform/voidLabel.js";

/** What a network can answer: class 0 is the first of the list. At most 254. */
export interface ClassList {
  readonly name: string;
  readonly classes: readonly { readonly name: string; readonly colour: readonly [number, number, number] }[];
}

/**
 * What the values in a label file mean. Plain data, so that it can be printed, hashed and sent to a worker.
 *
 * A value is a grey level, a palette index or, for `colours`, a colour as "rrggbb". It means a class (its place in the
 * list), UNKNOWN_LABEL or VOID_LABEL. A value that is not listed is an error in the file.
 */
export interface LabelRule {
  readonly kind: "ids" | "colours";
  readonly meaning: Readonly<Record<string, number>>;
  /** Values that are not listed mean this after all, while they are at most this share of an image. For published flaws only. */
  readonly strays?: { readonly meaning: number; readonly share: number };
}

export interface Labelling {
  readonly classes: ClassList;
  readonly rule: LabelRule;
}
