import { classesOf } from "../../data/datasets/classesOf.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../data/labels/labelSpace.js";
import { readScaled } from "../../data/loader/readScaled.js";
import type { DeployedImages } from "../../inference/deployedImages.js";
import { type Part, ratioOf } from "../../metrics/bootstrap.js";
import { judge, NOT_SCORED, policies, RIGHT } from "../../metrics/verdict.js";
import type { ThresholdFile } from "../export/thresholdFile.js";

export interface LabelledImages {
  readonly labelled: Dataset;
  /** Images are scaled to this height. */
  readonly height: number;
  readonly gamma: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** How γ does against labels: how much of an image is certain, and how much of that is right, with intervals over images. */
export async function againstLabels(
  model: DeployedImages,
  { labelled, height, gamma, onProgress }: LabelledImages,
): Promise<NonNullable<ThresholdFile["labelled"]>> {
  const classes = classesOf(labelled);
  const meaning = { classes: classes.length, unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
  const least = Math.fround(gamma);
  const [accuracy, precision, coverage]: [Part[], Part[], Part[]] = [[], [], []];
  for (const [index, item] of labelled.items.entries()) {
    const { labels, ...image } = await readScaled(labelled, item, height);
    const { predicted, similarity } = await model.predict(image);
    const verdict = judge(item.id, labels!, predicted, meaning, policies.paper);
    let [scored, right, certain, both] = [0, 0, 0, 0];
    for (let i = 0; i < verdict.length; i++) {
      if (verdict[i] === NOT_SCORED) continue;
      const [isRight, isCertain] = [Number(verdict[i] === RIGHT), Number(similarity[i]! >= least)];
      scored++;
      right += isRight;
      certain += isCertain;
      both += isRight * isCertain;
    }
    accuracy.push({ part: right, whole: scored });
    precision.push({ part: both, whole: certain });
    coverage.push({ part: certain, whole: scored });
    onProgress?.(index + 1, labelled.items.length);
  }
  return {
    images: labelled.items.length,
    accuracy: ratioOf(accuracy),
    precision: ratioOf(precision),
    coverage: ratioOf(coverage),
  };
}
