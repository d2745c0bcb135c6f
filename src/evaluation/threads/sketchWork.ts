import {
  imagesPerBatch,
  type Resolution,
  resolutions,
  SketchBuilder,
  type SketchSet,
  SketchSum,
  tidy,
} from "../../metrics/sketchSet.js";
import { type Crew, openCrew, type Work } from "./crew.js";

/** One entry a pixel; see `SketchBuilder.add`. In shared memory, threads read it without a copy. */
export interface JudgedImage {
  readonly id: string;
  readonly uncertainty: Float32Array;
  readonly verdict: Uint8Array;
}

export type SketchCrew = Crew<readonly JudgedImage[], SketchSet>;

/** What `SketchBuilder` does, on several threads: open a crew once, then `sketchImages` any number of times. */
export const openSketchCrew = (threads: number, resolution: Resolution = resolutions.fine): SketchCrew =>
  openCrew(sketchWork, resolution, threads);

/** The same bytes for any number of threads. */
export async function sketchImages(
  images: Iterable<JudgedImage> | AsyncIterable<JudgedImage>,
  crew: SketchCrew,
  resolution: Resolution = resolutions.fine,
): Promise<SketchSet> {
  const sum = new SketchSum(resolution);
  for await (const part of crew.answers(groupsOf(images))) sum.add(part);
  return tidy(sum.finish(), resolution);
}

/** Neighbours together, as many of the size of the first as one batch holds. */
async function* groupsOf(
  images: Iterable<JudgedImage> | AsyncIterable<JudgedImage>,
): AsyncGenerator<readonly JudgedImage[]> {
  let group: JudgedImage[] = [];
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

export const sketchWork: Work<Resolution, readonly JudgedImage[], SketchSet> = {
  script: new URL("./sketchWorker.js", import.meta.url),
  open(resolution) {
    let builder = new SketchBuilder(resolution);
    return {
      do(images) {
        try {
          for (const { id, uncertainty, verdict } of images) builder.add(id, uncertainty, verdict);
          return builder.finish();
        } catch (error) {
          builder = new SketchBuilder(resolution); // the old one holds half a group
          throw error;
        }
      },
      close: async () => {},
    };
  },
};
