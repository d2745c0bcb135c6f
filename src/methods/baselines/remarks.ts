/** Classes that no pixel of the source has: nothing can be near them. */
export function unseenRemark(classes: readonly string[], seen: readonly number[]): string[] {
  const missing = classes.filter((_, k) => !seen.includes(k));
  return missing.length === 0 ? [] : [`no pixel of ${missing.join(", ")} in the source: left out`];
}

/** A covariance that could not be inverted as it was. */
export const describeJitter = (what: string, jitter: number): string =>
  `${what} was singular: ${jitter.toExponential(0)} of the mean variance added to every variance`;
