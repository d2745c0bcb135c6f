import type { ExpectedCertain } from "../model/modelInfo.js";

/** An image this many standard deviations below what is usual is no chance variation. */
const DEVIATIONS = 3;
/** A few images that happen to be alike must not make everything else look strange. */
const LEAST_DEVIATION = 0.02;

/** Below this share of certain pixels, an image does not look like what the model was made for. */
export const leastCertain = ({ mean, deviation }: ExpectedCertain): number =>
  Math.max(0, mean - DEVIATIONS * Math.max(deviation, LEAST_DEVIATION));

/** The rule in words, for people and files. */
export const outOfDomainRule = (expected: ExpectedCertain): string =>
  `less than ${leastCertain(expected).toFixed(3)} of its pixels certain: ${DEVIATIONS} standard deviations below the mean of ${expected.mean.toFixed(3)} on ${expected.on}`;
