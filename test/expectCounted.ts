import { expect } from "vitest";
import type { OpenedResult } from "../src/evaluation/results/openResults.js";

/** Count accuracy and AUROC of a result once more, from the images that were kept of it: all that were measured, without a void pixel. */
export function expectCounted(result: OpenedResult["result"], examples: OpenedResult["examples"]): void {
  const pixels = examples.flatMap(({ labels, predicted, codes }) =>
    Array.from(labels, (label, i) => ({ right: label === predicted[i], code: codes[i]! })),
  );
  expect(pixels).toHaveLength(result.pixels);
  expect(result.accuracy).toBe(pixels.filter(({ right }) => right).length / pixels.length);
  expect(result.auroc).toBeCloseTo(rankAuroc(pixels), 2);
}

/** Of telling right pixels from wrong ones by their codes, smaller being surer: from the ranks of the right ones. */
function rankAuroc(pixels: readonly { readonly right: boolean; readonly code: number }[]): number {
  const sorted = [...pixels].sort((a, b) => a.code - b.code);
  let [ranks, rights] = [0, 0];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to]!.code === sorted[from]!.code) to++;
    const tied = sorted.slice(from, to).filter(({ right }) => right).length;
    rights += tied;
    ranks += (tied * (from + 1 + to)) / 2;
  }
  const wrongs = sorted.length - rights;
  return 1 - (ranks - (rights * (rights + 1)) / 2) / (rights * wrongs);
}
