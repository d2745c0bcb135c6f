/** What a pixel's certainty is read from: its similarity to the nearest prototype, or the probability that its softmax at τ gives it. */
export const scores = ["cosine", "softmax"] as const;
export type Score = (typeof scores)[number];

/** The largest uncertainty there can be: 1 - cosine reaches 2, 1 - probability 1. */
export const mostUncertain = (score: Score): number => (score === "cosine" ? 2 : 1);
