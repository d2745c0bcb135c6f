import type { Method } from "../../methods/parts/method.js";
import type { Entry, Predictor } from "../predictors/predictor.js";

/** A method with its network and statistics. */
export interface PreparedMethod<E extends Entry = Entry> {
  readonly method: Method;
  /** One for each of the settings it may have, the default first. */
  readonly entries: readonly E[];
  readonly remarks: readonly string[];
}

/** Methods that share their passes through a network, ready to predict. */
export interface Prepared<E extends Entry = Entry> {
  readonly methods: readonly PreparedMethod<E>[];
  /** Of some entries of these methods. */
  predictor(entries: readonly E[]): Predictor;
}
