import type { Settings } from "../../methods/scorer.js";
import type { MethodName } from "../methodNames.js";
import type { Predictor } from "../predictors/predictor.js";

/** One method of a group: the settings that it might have, the first of them unless others are tried. */
export interface Contender {
  readonly method: MethodName;
  readonly settings: readonly Settings[];
  readonly remarks: readonly string[];
}

/** Methods that are run together, because they share a network. */
export interface Group {
  readonly contenders: readonly Contender[];
  /** A predictor of some methods with some of their settings, by place. */
  open(wanted: readonly { readonly method: MethodName; readonly setting: number }[]): Predictor;
}
