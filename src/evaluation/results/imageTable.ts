import { auroc, averagePrecision } from "../../metrics/areas.js";
import { atThreshold } from "../../metrics/atThreshold.js";
import { pixelsOf } from "../../metrics/sketch.js";
import type { SketchSet } from "../../metrics/sketchSet.js";
import { type CsvCell, csv } from "./csv.js";

/** One image of a data set: how much of it is right, and how well its mistakes are known. */
export interface ImageRow {
  readonly id: string;
  readonly pixels: number;
  readonly accuracy: number | null;
  readonly auroc: number | null;
  readonly aupr: number | null;
  /** At the threshold given: A_MD, F0.5, p(a,c) and the share of certain pixels. */
  readonly amd: number | null;
  readonly f05: number | null;
  readonly pac: number | null;
  readonly certain: number | null;
}

/** A row for each image in the order of the set, then those without a scored pixel. From the images' own coarse sketches. */
export function imageRows({ images, skipped }: SketchSet, threshold: number | null): ImageRow[] {
  const nothing = { accuracy: null, auroc: null, aupr: null, amd: null, f05: null, pac: null, certain: null };
  return [
    ...images.map(({ id, sketch }) => {
      const here = threshold === null ? null : atThreshold(sketch, threshold);
      return {
        id,
        pixels: pixelsOf(sketch),
        accuracy: sketch.rights / pixelsOf(sketch),
        auroc: auroc(sketch).value,
        aupr: averagePrecision(sketch).value,
        amd: here?.amd.value ?? null,
        f05: here?.f05.value ?? null,
        pac: here?.pac.value ?? null,
        certain: here?.certain.value ?? null,
      };
    }),
    ...skipped.map((id) => ({ id, pixels: 0, ...nothing })),
  ];
}

const columns = ["pixels", "accuracy", "auroc", "aupr", "amd", "f05", "pac", "certain"] as const;

/** The rows as `<method>.csv`. Six digits: a coarse sketch knows no more. */
export function imageTable(rows: readonly ImageRow[]): string {
  const short = (value: number | null): CsvCell => (value === null ? null : Number(value.toFixed(6)));
  return csv([["image", ...columns], ...rows.map((row) => [row.id, ...columns.map((name) => short(row[name]))])]);
}
