import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { labelsTensor, type RgbImage } from "../data/images/tensors.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../data/labels/labelSpace.js";
import { readScaled } from "../data/loader/readScaled.js";
import { constant, input, type Value } from "../engine/graph/value.js";
import { number, sub } from "../engine/ops/elementwise.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { floats, type HostTensor, type Tensors } from "../engine/tensor/hostTensor.js";
import { WholeImages } from "../inference/wholeImages.js";
import { DatasetPrototypes } from "../methods/gamma-ssl/datasetPrototypes.js";
import { cropTo, mirroredTo } from "../networks/models/anySize.js";
import type { Segmented, Training } from "./stage.js";

export interface BranchOptions {
  /** Labelled images that prototypes are made of. */
  readonly source: Dataset;
  /** How many of them. */
  readonly images: number;
  readonly height: number;
}

/** What a branch says of an image. */
export interface BranchAnswer {
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
}

/** A network in training over whole images: the branch that answers after training first, then the head where that is another. */
export class Branches {
  readonly names: readonly string[];
  readonly #images: WholeImages;

  private constructor(names: readonly string[], images: WholeImages) {
    this.names = names;
    this.#images = images;
  }

  static async open(runtime: Runtime, training: Training, weights: Tensors, options: BranchOptions): Promise<Branches> {
    const prototypes = await sourcePrototypes(runtime, training, weights, options);
    const names = [...(prototypes === null ? [] : ["prototypes"]), "head"];
    const forward = (x: Value): Record<string, Value> => {
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
    };
    return new Branches(names, new WholeImages(runtime, forward, weights));
  }

  /** By name of the branch. */
  async answers(image: RgbImage): Promise<Record<string, BranchAnswer>> {
    const found = await this.#images.run([image]);
    return Object.fromEntries(
      this.names.map((name) => [
        name,
        {
          predicted: Uint8Array.from(found[`${name}.predicted`]!.data, Number),
          uncertainty: floats(found[`${name}.uncertainty`], name),
        },
      ]),
    );
  }

  close(): Promise<void> {
    return this.#images.close();
  }
}

/** Prototypes of the source as a trained model has them (T-10), but of fewer images; null where prototypes do not answer. */
async function sourcePrototypes(
  runtime: Runtime,
  { byPrototypes }: Training,
  weights: Tensors,
  { source, images: most, height }: BranchOptions,
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
  for (const item of evenlySpread(source.items, most)) {
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
