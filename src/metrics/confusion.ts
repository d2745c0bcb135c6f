import { UserError } from "../platform/errors.js";
import type { LabelArray } from "./verdict.js";

/** Segmentation quality over a whole data set. A class that never occurs has no score and is left out of the means. */
export interface SegmentationQuality {
  /** Share of labelled pixels predicted right; null without any. */
  readonly accuracy: number | null;
  readonly meanIou: number | null;
  readonly perClass: readonly {
    readonly iou: number | null;
    readonly accuracy: number | null;
    readonly pixels: number;
  }[];
}

/**
 * How often class i was predicted as class j, over all images. Pixels labelled with something else than a class (unknown,
 * void) are left out; a prediction that is no class counts as missed. Add matrices to merge.
 */
export class ConfusionMatrix {
  readonly classes: number;
  /** classes x (classes + 1), row = label, column = prediction, the last column for "no class". */
  readonly counts: Float64Array;

  constructor(classes: number) {
    this.classes = classes;
    this.counts = new Float64Array(classes * (classes + 1));
  }

  add(image: string, labels: LabelArray, predicted: LabelArray): void {
    if (labels.length !== predicted.length) {
      throw new UserError(`${image}: ${labels.length} labels, but ${predicted.length} predictions`);
    }
    const { classes, counts } = this;
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (label < 0 || label >= classes) continue;
      const answer = predicted[i]!;
      counts[label * (classes + 1) + (answer >= 0 && answer < classes ? answer : classes)]!++;
    }
  }

  merge(other: ConfusionMatrix): void {
    if (other.classes !== this.classes) {
      throw new UserError(`confusion matrices of ${this.classes} and ${other.classes} classes do not add up`);
    }
    for (let i = 0; i < this.counts.length; i++) this.counts[i]! += other.counts[i]!;
  }

  /** The counts, a list for each class. */
  rows(): number[][] {
    const { classes, counts } = this;
    return Array.from({ length: classes }, (_, k) => [...counts.subarray(k * (classes + 1), (k + 1) * (classes + 1))]);
  }

  quality(): SegmentationQuality {
    const { classes, counts } = this;
    const at = (label: number, answer: number) => counts[label * (classes + 1) + answer]!;
    const all = Array.from({ length: classes }, (_, k) => k);
    const sum = (values: readonly number[]) => values.reduce((so, x) => so + x, 0);
    const perClass = all.map((k) => {
      const labelled = sum(all.map((j) => at(k, j))) + at(k, classes);
      const union = labelled + sum(all.map((j) => at(j, k))) - at(k, k);
      return {
        iou: union === 0 ? null : at(k, k) / union,
        accuracy: labelled === 0 ? null : at(k, k) / labelled,
        pixels: labelled,
      };
    });
    const pixels = sum(perClass.map((row) => row.pixels));
    const ious = perClass.flatMap(({ iou }) => (iou === null ? [] : [iou]));
    return {
      accuracy: pixels === 0 ? null : sum(all.map((k) => at(k, k))) / pixels,
      meanIou: ious.length === 0 ? null : sum(ious) / ious.length,
      perClass,
    };
  }
}
