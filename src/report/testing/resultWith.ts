import { PixelCounter } from "../../evaluation/pixelCounter.js";
import type { ResultFile } from "../../evaluation/results/resultFile.js";
import { resultOf } from "../../evaluation/results/resultOf.js";

const empty = resultOf({
  ...new PixelCounter({ classes: 2, policy: "paper" }).finish(),
  dataset: "town",
  method: "none",
  classes: [],
  policy: "paper",
  command: "",
  seeds: {},
  environment: {},
});

/** A result of no pixels, with some numbers written into it. */
export const resultWith = (method: string, numbers: Partial<ResultFile>): ResultFile => ({
  ...empty,
  method,
  ...numbers,
});

export const bestAt = (value: number, pac: number): NonNullable<ResultFile["maxAmd"]> => ({
  value,
  pac,
  threshold: 0.5,
});
