import type { Dataset } from "../../data/datasets/dataset.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { argmax } from "../../engine/ops/reduce.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../errors.js";
import { atAnySize } from "../../networks/models/anySize.js";
import { ConfusionMatrix } from "../metrics/confusion.js";
import { WholeImages } from "../predict/wholeImages.js";
import { classesOf, type Training } from "./stage.js";

/** Over all labelled pixels of a data set, at the height that training scales pictures to. */
export interface Validation {
  readonly accuracy: number;
  readonly meanIou: number;
}

export async function validate(
  runtime: Runtime,
  { scores }: Training,
  weights: Tensors,
  { dataset, height }: { readonly dataset: Dataset; readonly height: number },
): Promise<Validation> {
  const images = new WholeImages(runtime, (x) => ({ predicted: argmax(atAnySize(x, scores), 1) }), weights);
  const confusion = new ConfusionMatrix(classesOf(dataset).length);
  for (const item of dataset.items) {
    const sample = await readScaled(dataset, item, height);
    const { predicted } = await images.run([sample]);
    confusion.add(item.id, sample.labels!, Uint8Array.from(predicted!.data, Number));
  }
  await images.close();
  const { accuracy, meanIou } = confusion.quality();
  if (accuracy === null || meanIou === null) {
    throw new UserError(`${dataset.spec} has no labelled pixel to validate on`);
  }
  return { accuracy, meanIou };
}
