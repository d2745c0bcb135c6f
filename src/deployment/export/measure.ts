import type { Dataset } from "../../data/datasets/dataset.js";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import { requireSameClasses } from "../../data/datasets/sameClasses.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { PixelCounter } from "../../evaluation/pixelCounter.js";
import { summarise } from "../../metrics/summarise.js";
import type { DeployedModel } from "../model/deployedModel.js";

/** How a model does on labelled images. */
export interface Measured {
  readonly precision: string;
  readonly accuracy: number | null;
  readonly auroc: number | null;
  /** Share of pixels with the same class, and the same certainty, as the first model gives them. */
  readonly sameClass: number;
  readonly sameCertain: number;
}

/** Several models on the same images: at most so many, evenly spread. */
const MOST_IMAGES = 100;

/** Measure models beside the first of them. */
export async function measureModels(
  models: readonly DeployedModel[],
  dataset: Dataset,
  onProgress?: (done: number, total: number) => void,
): Promise<Measured[]> {
  const { classes, height } = models[0]!.info;
  requireSameClasses(
    dataset,
    classes.map(({ name }) => name),
    "the model",
  );
  const counts = models.map(() => ({
    counter: new PixelCounter({ classes: classes.length, policy: "paper" }),
    sameClass: 0,
    sameCertain: 0,
  }));
  const items = evenlySpread(dataset.items, MOST_IMAGES);
  let pixels = 0;
  for (const [index, item] of items.entries()) {
    const { labels, ...image } = await readScaled(dataset, item, height);
    const predictions = await inTurn(models, (model) => model.predict(image));
    predictions.forEach(({ predicted, similarity, certain }, m) => {
      const count = counts[m]!;
      count.counter.add({ id: item.id, labels: labels!, predicted, uncertainty: similarity.map((s) => 1 - s) });
      for (let i = 0; i < predicted.length; i++) {
        if (predicted[i] === predictions[0]!.predicted[i]) count.sameClass++;
        if (certain[i] === predictions[0]!.certain[i]) count.sameCertain++;
      }
    });
    pixels += image.width * image.height;
    onProgress?.(index + 1, items.length);
  }
  return counts.map(({ counter, sameClass, sameCertain }, m) => {
    const { accuracy, auroc } = summarise(counter.finish().set, { dataset: dataset.spec, method: "gamma-ssl" });
    const { precision } = models[m]!.info;
    return { precision, accuracy, auroc, sameClass: sameClass / pixels, sameCertain: sameCertain / pixels };
  });
}

/** One after the other: each uses all threads it may. */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}
