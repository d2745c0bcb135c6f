import { join } from "node:path";
import { distinctSlug } from "../../evaluation/results/slug.js";
import type { Ratio } from "../../metrics/bootstrap.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import { printable } from "../../platform/printable.js";
import { readThreshold, type ThresholdFile } from "../export/thresholdFile.js";

/** Write thresholds/<data set>.json of a run, and a card to read beside it. */
export async function writeThreshold(run: string, threshold: ThresholdFile): Promise<{ file: string; card: string }> {
  const folder = join(run, "thresholds");
  await makeFolder(folder);
  const name = await freeName(folder, threshold.dataset);
  const [file, card] = [join(folder, `${name}.json`), join(folder, `${name}.md`)];
  await writeAtomically(card, thresholdCard(threshold));
  await writeAtomically(file, `${JSON.stringify(threshold, null, 1)}\n`);
  return { file, card };
}

/** Numbered where the name is that of another data set. */
async function freeName(folder: string, dataset: string): Promise<string> {
  const taken = new Set<string>();
  for (;;) {
    const name = distinctSlug(dataset, taken);
    const found = await readThreshold(join(folder, `${name}.json`)).catch(() => null); // missing or broken: it is written
    if (found === null || found.dataset === dataset) return name;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const within = ({ value, interval }: Ratio): string =>
  value === null
    ? "– (no pixel to divide by)"
    : `${percent(value)}${interval === null ? "" : ` (${percent(interval.low)} to ${percent(interval.high)}, 95 % over images)`}`;

/** The same for people. */
export function thresholdCard(threshold: ThresholdFile): string {
  const { dataset, images, gamma, interval, rule, expectedCertain: expected, training, labelled } = threshold;
  const reach =
    interval === null ? "" : ` (95 % over images: ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)})`;
  const how =
    rule.kind === "share"
      ? [`Chosen so that ${percent(rule.share)} of all pixels are certain.`]
      : [
          `Solved as in training (Alg. 1): ${rule.views} pairs of views of each image agree on ${percent(rule.consistent)} of the pixels that they share. At`,
          `this γ, ${percent(rule.certain)} of the shared pixels are certain. No label was read for it.`,
        ];
  const before =
    training === null
      ? ["Training ended without a γ to compare with."]
      : [
          `Training ended with γ = ${training.gamma.toFixed(4)}, which would call ${percent(training.certain)} of these images certain.`,
        ];
  const known =
    labelled === null
      ? ["Not compared with labels. Where there are some, `--compare-labels` does."]
      : [
          `Against the labels of ${labelled.images} images:`,
          "",
          `- right: ${within(labelled.accuracy)} of all pixels`,
          `- certain: ${within(labelled.coverage)} of all pixels`,
          `- right: ${within(labelled.precision)} of the certain pixels`,
        ];
  const lines = [
    `# γ for ${printable(dataset)}`,
    "",
    `γ = ${gamma.toFixed(4)}${reach}, from ${images} images.`,
    "",
    ...how,
    "",
    `Of whole images, as a deployed model sees them, ${percent(expected.mean)} is certain in the mean (standard deviation ${percent(expected.deviation)}, lowest`,
    `${percent(expected.lowest)}).`,
    "",
    ...before,
    "",
    ...known,
    ...(threshold.remarks.length === 0
      ? []
      : ["", ...threshold.remarks.map((remark) => `Note: ${printable(remark)}.`)]),
    "",
    `\`${printable(threshold.command)}\``,
  ];
  return `${lines.join("\n")}\n`;
}
