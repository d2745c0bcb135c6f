import type { Segmentation } from "../../deployment/model/segment.js";
import type { ModelFacts } from "./modelFacts.js";

/** What `/v1/segment` says about an image as JSON. */
export interface Summary {
  readonly width: number;
  readonly height: number;
  /** Share of pixels that are certain; null for a baseline. */
  readonly certainShare: number | null;
  /** How far the image is from those of the training, 1 at the limit, and whether that is beyond it; null for a baseline. */
  readonly distance: number | null;
  readonly outOfDomain: boolean | null;
  readonly classes: readonly {
    readonly name: string;
    readonly colour: readonly [red: number, green: number, blue: number];
    /** Share of the image's pixels that have this class. */
    readonly share: number;
    /** Share of these that are certain; null for a baseline, and for a class without pixels. */
    readonly certainShare: number | null;
  }[];
}

/** Count classes. */
export function summarise(
  { width, height, classes, certain, certainShare, distance, outOfDomain }: Segmentation,
  { description }: ModelFacts,
): Summary {
  const known = description.classes;
  const pixels = new Float64Array(known.length);
  const sure = new Float64Array(known.length);
  for (let i = 0; i < classes.length; i++) {
    const one = classes[i]!;
    pixels[one]! += 1;
    if (certain !== null) sure[one]! += certain[i]!;
  }
  return {
    width,
    height,
    certainShare,
    distance,
    outOfDomain,
    classes: known.map(({ name, colour }, k) => ({
      name,
      colour,
      share: pixels[k]! / classes.length,
      certainShare: certain === null || pixels[k] === 0 ? null : sure[k]! / pixels[k]!,
    })),
  };
}
