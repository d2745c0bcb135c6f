import {
  imagesPerBatch,
  type Resolution,
  resolutions,
  SketchBuilder,
  type SketchSet,
  SketchSum,
  tidy,
} from "../metrics/sketchSet.js";
import { type JobRunner, WorkerPool } from "../platform/workerPool.js";

/** One entry a pixel; see `SketchBuilder.add`. In shared memory, threads read it without a copy. */
export interface ScoredImage {
  readonly id: string;
  readonly uncertainty: Float32Array;
  readonly verdict: Uint8Array;
}

export type SketchPool = WorkerPool<Resolution, readonly ScoredImage[], SketchSet>;

/** What `SketchBuilder` does, on several threads (0: on the caller's): open a pool once, then `sketchImages` any number of times. */
export const openSketchPool = (threads: number, resolution: Resolution = resolutions.fine): SketchPool =>
  new WorkerPool({ module: import.meta.url, openRunner }, resolution, threads);

/** The same bytes for any number of threads. */
export async function sketchImages(
  images: Iterable<ScoredImage> | AsyncIterable<ScoredImage>,
  pool: SketchPool,
  resolution: Resolution = resolutions.fine,
): Promise<SketchSet> {
  const sum = new SketchSum(resolution);
  for await (const part of pool.results(groupsOf(images))) sum.add(part);
  return tidy(sum.finish(), resolution);
}

/** Neighbours together, as many of the size of the first as one batch holds. */
async function* groupsOf(
  images: Iterable<ScoredImage> | AsyncIterable<ScoredImage>,
): AsyncGenerator<readonly ScoredImage[]> {
  let group: ScoredImage[] = [];
  let size: number | undefined;
  for await (const image of images) {
    size ??= imagesPerBatch(image.verdict.length);
    group.push(image);
    if (group.length === size) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}

/** Called by `platform/jobThread.ts`. @public */
export function openRunner(resolution: Resolution): JobRunner<readonly ScoredImage[], SketchSet> {
  let builder = new SketchBuilder(resolution);
  return {
    run(images) {
      try {
        for (const { id, uncertainty, verdict } of images) builder.add(id, uncertainty, verdict);
        return builder.finish();
      } catch (error) {
        builder = new SketchBuilder(resolution); // the old one holds half a group
        throw error;
      }
    },
  };
}
