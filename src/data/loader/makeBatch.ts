import type { Tensors } from "../../engine/tensor/hostTensor.js";
import { batchFeeds } from "./batchFeeds.js";
import type { BatchPlan, Stream } from "./batchPlan.js";
import type { ImageCache, ScaledImage } from "./imageCache.js";
import { readScaled } from "./readScaled.js";

/** The batch of a step, of images in files: the same bytes on any thread, at any time, and whatever the cache holds. */
export function makeBatch(plan: BatchPlan, step: number, cache: ImageCache): Promise<Tensors> {
  const firstSlots = new Map<Stream, number>();
  let slots = 0;
  for (const stream of plan.streams) {
    firstSlots.set(stream, slots);
    slots += stream.dataset.items.length;
  }
  return batchFeeds(plan, step, (stream, index) => readCached(stream, index, firstSlots.get(stream)! + index, cache));
}

async function readCached(stream: Stream, index: number, slot: number, cache: ImageCache): Promise<ScaledImage> {
  const kept = cache.get(slot);
  if (kept !== undefined) return kept;
  // A pair is made without labels: they are not even opened.
  const dataset = stream.kind === "pair" ? { ...stream.dataset, labelling: null } : stream.dataset;
  const image = await readScaled(dataset, dataset.items[index]!, stream.view.height);
  cache.keep(slot, image);
  return image;
}
