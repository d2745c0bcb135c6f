import type { Average } from "../methods/baselines/disagreement.js";
import type { MixtureOptions } from "../methods/baselines/gaussianMixture.js";

/** What can be chosen about the baselines as a whole. */
export interface BaselineOptions {
  /** Shares of channels that MC dropout drops; with several, each is trained and the best is chosen. */
  readonly rates: readonly number[];
  /** Numbers of draws; with several, the best is chosen. */
  readonly passes: readonly number[];
  readonly average: Average;
  /** Whether classes of a Gaussian mixture count by their share of the pixels. */
  readonly prior: MixtureOptions["prior"];
  /** Members of an ensemble in memory: one at a time, or all. */
  readonly memory: "low" | "high";
}

/** The paper's choices, where it has any (B-1, B-2, B-10). */
export const usualBaselines: BaselineOptions = {
  rates: [0.2],
  passes: [8],
  average: "probabilities",
  prior: "shares",
  memory: "low",
};
