import type { Method, Settings } from "../../methods/method.js";
import type { Predictor } from "../predictors/predictor.js";

/** A method with its statistics, and the settings it may have, the default first. */
export interface PreparedMethod {
  readonly method: Method;
  readonly settings: readonly Settings[];
  readonly remarks: readonly string[];
}

/** A method by name, and one of its settings by index. */
export interface Wanted {
  readonly name: string;
  readonly setting: number;
}

/** Methods that share their passes through a network, ready to predict. */
export interface Prepared {
  readonly methods: readonly PreparedMethod[];
  predictor(wanted: readonly Wanted[]): Predictor;
}
