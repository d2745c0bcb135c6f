import { type BaselineOptions, usualBaselines } from "../methods/baselineOptions.js";
import { UserError } from "../platform/errors.js";
import { oneOf } from "./oneOf.js";

/** What may be said about baselines on the command line. */
export interface BaselineWords {
  readonly mcdRates?: string;
  readonly mcdPasses?: string;
  readonly mcAverage?: string;
  readonly gmmPrior?: string;
  readonly ensembleMemory?: string;
}

const averages = { prob: "probabilities", logit: "logits" } as const;

export function baselineOptions(words: BaselineWords): BaselineOptions {
  const average = oneOf("mc-average", ["prob", "logit"] as const, words.mcAverage ?? "prob");
  return {
    rates: numbers(
      "mcd-rates",
      words.mcdRates,
      usualBaselines.rates,
      (rate) => rate > 0 && rate < 1,
      "between 0 and 1",
    ),
    passes: numbers(
      "mcd-passes",
      words.mcdPasses,
      usualBaselines.passes,
      (count) => Number.isInteger(count) && count >= 2 && count <= 64,
      "whole, from 2 to 64",
    ),
    average: averages[average],
    prior: oneOf("gmm-prior", ["shares", "even"] as const, words.gmmPrior ?? usualBaselines.prior),
    memory: oneOf("ensemble-memory", ["low", "high"] as const, words.ensembleMemory ?? usualBaselines.memory),
  };
}

function numbers(
  option: string,
  text: string | undefined,
  usual: readonly number[],
  fits: (value: number) => boolean,
  wanted: string,
): readonly number[] {
  if (text === undefined) return usual;
  const values = text.split(",").map(Number);
  const odd = values.findIndex((value) => !fits(value));
  if (odd >= 0) {
    throw new UserError(`--${option}: "${text.split(",")[odd]}" in "${text}", wanted numbers ${wanted}`, {
      hint: `for example --${option} ${usual.join(",")}`,
    });
  }
  return [...new Set(values)];
}
