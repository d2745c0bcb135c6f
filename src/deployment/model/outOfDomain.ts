import type { ModelDescription } from "./modelDescription.js";

/** Models give distances in units of the limit. What is no number is not within it. */
export const isOutOfDomain = (distance: number): boolean => !(distance <= 1);

/** The rule in words, for people and files: what follows "an image is out of domain with". */
export const outOfDomainRule = (from: NonNullable<ModelDescription["distanceFrom"]>): string =>
  `a distance above 1: its edges and colours are further from those of ${from.map(({ on }) => on).join(" and ")} than ` +
  "99 of 100 images of these were when they were left out";
