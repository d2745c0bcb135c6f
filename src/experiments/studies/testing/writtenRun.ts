import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PixelCounter } from "../../../evaluation/pixelCounter.js";
import type { PolicyName } from "../../../evaluation/results/resultOf.js";
import { writeResult } from "../../../evaluation/results/writeResult.js";
import type { Pixel } from "../../../metrics/testing/reference.js";
import { makeFolder } from "../../../platform/files.js";

/** A method on a data set: its images, and the threshold on uncertainty that is its γ. */
export interface WrittenResult {
  readonly dataset: string;
  readonly method: string;
  readonly images: readonly (readonly Pixel[])[];
  readonly gamma?: number;
  readonly policy?: PolicyName;
}

/** A run folder with results of these pixels, and a config where there were targets or settings. */
export async function writtenRun(
  folder: string,
  results: readonly WrittenResult[],
  targets?: readonly string[],
  settings?: object,
): Promise<string> {
  await makeFolder(folder);
  if (targets !== undefined || settings !== undefined) {
    const config = { source: "scenes:city?split=train", ...(targets && { targets }), ...settings };
    await writeFile(join(folder, "config.json"), JSON.stringify(config));
  }
  for (const { dataset, method, images, gamma, policy = "paper" } of results) {
    const counter = new PixelCounter({ classes: 2, policy });
    for (const [i, pixels] of images.entries()) {
      // Both classes occur, since labels of one value would mean nothing.
      const labels = Uint8Array.from(pixels, (_, k) => k % 2);
      const predicted = Uint8Array.from(pixels, ({ right }, k) => (right ? k % 2 : 1 - (k % 2)));
      counter.add({ id: `${i}`, labels, predicted, uncertainty: Float32Array.from(pixels, ({ u }) => u) });
    }
    await writeResult(folder, {
      ...counter.finish(),
      ...(gamma !== undefined && { gamma: { gamma: 1 - gamma, threshold: gamma } }),
      dataset,
      method,
      classes: ["road", "sky"].map((name) => ({ name, colour: [0, 0, 0] })),
      policy,
      command: "",
      seeds: {},
      environment: {},
    });
  }
  return folder;
}

/** Pixels from uncertainties, those of right ones first: `pixels([0.1], [0.2])` is a right and a wrong pixel. */
export const pixels = (right: readonly number[], wrong: readonly number[]): Pixel[] => [
  ...right.map((u) => ({ u: Math.fround(u), right: true })),
  ...wrong.map((u) => ({ u: Math.fround(u), right: false })),
];
