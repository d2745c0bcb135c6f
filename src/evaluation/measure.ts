import { classesOf } from "../data/datasets/classesOf.js";
import type { Dataset, Item } from "../data/datasets/dataset.js";
import type { ScaledImage } from "../data/loader/imageCache.js";
import { readScaled } from "../data/loader/readScaled.js";
import { type Counted, PixelCounter } from "./pixelCounter.js";
import type { Prediction, Predictor } from "./predictors/predictor.js";
import type { PolicyName } from "./results/resultOf.js";

export interface MeasureOptions {
  readonly dataset: Dataset;
  /** Some of its images; all of them where left out. */
  readonly items?: readonly Item[];
  /** Height that images are scaled to, labels to the nearest pixel. */
  readonly height: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Show images to a predictor, a few at a time, and hand on what its entries say. */
export async function show(
  predictor: Predictor,
  { dataset, items = dataset.items, height, onProgress }: MeasureOptions,
  each: (item: Item, image: ScaledImage, said: readonly Prediction[]) => void | Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += predictor.batchSize) {
    const some = items.slice(start, start + predictor.batchSize);
    const images: ScaledImage[] = [];
    for (const item of some) images.push(await readScaled(dataset, item, height));
    const predictions = await predictor.predict(images);
    for (const [i, item] of some.entries()) await each(item, images[i]!, predictions[i]!);
    onProgress?.(Math.min(items.length, start + predictor.batchSize), items.length);
  }
}

/** Count what is right and wrong and how unsure each entry of a predictor was, over labelled images. */
export async function measure(predictor: Predictor, policy: PolicyName, options: MeasureOptions): Promise<Counted[]> {
  const classes = classesOf(options.dataset).length;
  const counters = predictor.entries.map(() => new PixelCounter({ classes, policy }));
  await show(predictor, options, (item, { labels }, said) => {
    for (const [i, counter] of counters.entries()) {
      const confidence = predictor.entries[i]!.probability ? said[i]!.uncertainty.map((u) => 1 - u) : undefined;
      counter.add({ id: item.id, labels: labels!, ...said[i]!, ...(confidence && { confidence }) });
    }
  });
  return counters.map((counter) => counter.finish());
}
