/** What is averaged before the most likely class is taken: probabilities, or scores as the authors' tester does (B-2). */
export type Average = "probabilities" | "logits";

/** What can be chosen about the baselines as a whole. */
export interface BaselineOptions {
  /** Shares of channels that MC dropout drops; with several, each is trained and the best is chosen. */
  readonly rates: readonly number[];
  /** Numbers of draws; with several, the best is chosen. */
  readonly passes: readonly number[];
  readonly average: Average;
  /** Whether a class of a Gaussian mixture counts by its share of the pixels (π_c), or every class the same, as in the code of DDU. */
  readonly prior: "shares" | "even";
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
