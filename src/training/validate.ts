import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { labelsTensor } from "../data/images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { readScaled } from "../data/loader/readScaled.js";
import { constant, input, type Value } from "../engine/graph/value.js";
import { number, sub } from "../engine/ops/elementwise.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { floats, type HostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { WholeImages } from "../inference/wholeImages.js";
import { DatasetPrototypes } from "../methods/gamma-ssl/datasetPrototypes.js";
import { auroc } from "../metrics/areas.js";
import { ConfusionMatrix } from "../metrics/confusion.js";
import { SketchBuilder } from "../metrics/sketchSet.js";
import { judge } from "../metrics/verdict.js";
import { cropTo, mirroredTo } from "../networks/models/anySize.js";
import { UserError } from "../platform/errors.js";
import type { Segmented, Training } from "./stage.js";

/** Over all labelled pixels of a data set, at the height that training scales images to. */
export interface Validation {
  readonly accuracy: number;
  readonly meanIou: number;
  /** How well uncertainty tells wrong pixels from right ones; null where all are right, or all wrong. */
  readonly auroc: number | null;
}

/** Of each branch: the one that answers after training, and the head beside it where that is another. */
export type Validations = Readonly<Record<string, Validation>>;

/** Source images that prototypes are made of for a validation. */
const PROTOTYPE_IMAGES = 100;

export interface ValidationData {
  readonly dataset: Dataset;
  /** Labelled images that prototypes are made of. */
  readonly source: Dataset;
  readonly height: number;
}

export async function validate(
  runtime: Runtime,
  training: Training,
  weights: Tensors,
  { dataset, source, height }: ValidationData,
): Promise<Validations> {
  const prototypes = await sourcePrototypes(runtime, training, weights, { source, height });
  const names = [...(prototypes === null ? [] : ["prototypes"]), "head"];
  const images = new WholeImages(
    runtime,
    (x) => {
      const padded = mirroredTo(x);
      const own = (map: Value): Value => cropTo(map, x.shape.slice(2));
      const said = (name: string): Segmented =>
        name === "head"
          ? training.byHead(padded, own)
          : training.byPrototypes!.segment(padded, constant(prototypes!), own);
      return Object.fromEntries(
        names.flatMap((name) => {
          const { predicted, confidence } = said(name);
          return [
            [`${name}.predicted`, predicted] as const,
            [`${name}.uncertainty`, sub(number(1), confidence)] as const,
          ];
        }),
      );
    },
    weights,
  );
  const classes = classesOf(dataset).length;
  const counters = names.map((name) => ({
    name,
    confusion: new ConfusionMatrix(classes),
    sketches: new SketchBuilder(),
  }));
  for (const item of dataset.items) {
    const sample = await readScaled(dataset, item, height);
    const found = await images.run([sample]);
    for (const { name, confusion, sketches } of counters) {
      const predicted = Uint8Array.from(found[`${name}.predicted`]!.data, Number);
      const meaning = { classes, unknown: [UNKNOWN_LABEL], void: [VOID_LABEL] };
      confusion.add(item.id, sample.labels!, predicted);
      sketches.add(
        item.id,
        floats(found[`${name}.uncertainty`], name),
        judge(item.id, sample.labels!, predicted, meaning),
      );
    }
  }
  await images.close();
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

/** Prototypes of the source as a trained model has them (T-10), but of fewer images; null where prototypes do not answer. */
async function sourcePrototypes(
  runtime: Runtime,
  { byPrototypes }: Training,
  weights: Tensors,
  { source, height }: Pick<ValidationData, "source" | "height">,
): Promise<HostTensor | null> {
  if (byPrototypes === undefined) return null;
  const classes = classesOf(source).length;
  const sums = new DatasetPrototypes({ features: byPrototypes.channels, classes, rule: "pixels" });
  const images = new WholeImages(
    runtime,
    (x) => {
      const [n, , h, w] = mirroredTo(x).shape as [number, number, number, number];
      return { sums: byPrototypes.sums(mirroredTo(x), input("labels", { dtype: "int64", shape: [n, h, w] })) };
    },
    weights,
  );
  for (const item of evenlySpread(source.items, PROTOTYPE_IMAGES)) {
    const sample = await readScaled(source, item, height);
    const labels = paddedLabels(sample.labels!, sample);
    sums.add((await images.run([sample], { ...weights, labels })).sums!);
  }
  await images.close();
  return sums.finish();
}

/** Labels of an image that is continued to a multiple of the stride: there is nothing to learn from made-up pixels. */
function paddedLabels(
  labels: Uint8Array,
  { height, width }: { readonly height: number; readonly width: number },
): HostTensor {
  const [, , h, w] = mirroredTo(input("x", { dtype: "float32", shape: [1, 1, height, width] })).shape as number[];
  const padded = new Uint8Array(h! * w!).fill(VOID_LABEL);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const label = labels[y * width + x]!;
      padded[y * w! + x] = label === UNKNOWN_LABEL ? VOID_LABEL : label;
    }
  }
  return labelsTensor([padded], [h!, w!]);
}
