import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { readScaled } from "../data/loader/readScaled.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { auroc } from "../metrics/areas.js";
import { ConfusionMatrix } from "../metrics/confusion.js";
import { SketchBuilder } from "../metrics/sketchSet.js";
import { judge } from "../metrics/verdict.js";
import { UserError } from "../platform/errors.js";
import type { InferenceNetwork } from "../runs/inferenceNetwork.js";
import { BranchPredictor } from "./branchPredictor.js";

/** Over all labelled pixels of a data set, at the height that training scales images to. */
export interface Validation {
  readonly accuracy: number;
  readonly meanIou: number;
  /** How well uncertainty tells wrong pixels from right ones; null where all are right, or all wrong. */
  readonly auroc: number | null;
}

/** Of each branch: the one that predicts after training, and the head beside it where that is another. */
export type Validations = Readonly<Record<string, Validation>>;

/** Source images that prototypes are made of for a validation. */
const PROTOTYPE_IMAGES = 100;

export interface ValidationData {
  readonly dataset: Dataset;
  /** Labelled images that prototypes are made of. */
  readonly source: Dataset;
}

export async function validate(
  runtime: Runtime,
  network: InferenceNetwork,
  { dataset, source }: ValidationData,
): Promise<Validations> {
  const branches = await BranchPredictor.open(runtime, network, { source, images: PROTOTYPE_IMAGES });
  const classes = classesOf(dataset).length;
  const counters = branches.names.map((name) => ({
    name,
    confusion: new ConfusionMatrix(classes),
    sketches: new SketchBuilder(),
  }));
  for (const item of dataset.items) {
    const sample = await readScaled(dataset, item, network.config.view.height);
    const predictions = await branches.predict(sample);
    for (const { name, confusion, sketches } of counters) {
      const { predicted, uncertainty } = predictions[name]!;
      const meaning = { classes, unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
      confusion.add(item.id, sample.labels!, predicted);
      sketches.add(item.id, uncertainty, judge(item.id, sample.labels!, predicted, meaning));
    }
  }
  await branches.close();
  return Object.fromEntries(
    counters.map(({ name, confusion, sketches }) => {
      const { accuracy, meanIou } = confusion.quality();
      if (accuracy === null || meanIou === null) {
        throw new UserError(`${dataset.spec} has no labelled pixel to validate on`);
      }
      return [name, { accuracy, meanIou, auroc: auroc(sketches.finish().total).value }];
    }),
  );
}
