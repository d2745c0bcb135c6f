import * as z from "zod";
import { readRegularFile } from "../../platform/files.js";
import { parseJson } from "../../platform/json.js";
import { hasSeal, parseSealedJson } from "../../platform/seal.js";

/** A share of pixels, or a number that cannot leave [0, 1]. */
const share = z.number().min(0).max(1);
const maybeShare = share.nullable();
const interval = z.strictObject({ low: z.number(), high: z.number() }).nullable();
const best = z.strictObject({ value: share, pac: share, threshold: z.number() }).nullable();
const treatment = z.enum(["inaccurate", "ignore"]);
const byte = z.int().min(0).max(255);
const count = z.int().min(0);
/** A file name and never a path: nothing outside the folder can be meant. */
const fileName = z.string().regex(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u);

/** How settings of a method are chosen (B-12): on held-out source images, on the test images themselves, or not at all. */
export const selections = ["source-val", "best-on-test", "fixed"] as const;
/** One of them. */
export type Selection = (typeof selections)[number];

/**
 * `results/<dataset>/<method>.json`: what a method did on a data set, and how that was found out. docs/report.md says what
 * each number means. Numbers are over all pixels; a null has its reason under `reasons`.
 */
export const resultSchema = z.strictObject({
  version: z.literal(1),
  dataset: z.string().min(1),
  method: z.string().min(1),
  images: count,
  /** Images without a scored pixel. */
  skipped: count,
  pixels: count,
  accuracy: maybeShare,
  auroc: maybeShare,
  aupr: maybeShare,
  auprTrapezoid: maybeShare,
  auprOfficial500: maybeShare,
  auprError: maybeShare,
  fpr95: maybeShare,
  aurc: maybeShare,
  augrc: maybeShare,
  ece: maybeShare,
  brier: z.number().min(0).nullable(),
  maxAmd: best,
  maxF05: best,
  atGamma: z
    .strictObject({ gamma: z.number(), threshold: z.number(), amd: share, f05: share, pac: share, certain: share })
    .nullable(),
  /** Over pixels labelled with a class, as segmentation benchmarks count. */
  segmentation: z
    .strictObject({
      accuracy: maybeShare,
      meanIou: maybeShare,
      perClass: z.array(z.strictObject({ name: z.string(), iou: maybeShare, accuracy: maybeShare, pixels: count })),
    })
    .nullable(),
  /** Pixels by true class (row) and given class (column, the last for "no class"). Null where classes were not counted. */
  confusion: z.array(z.array(count)).nullable().default(null),
  /** What a score that knows nothing would get. */
  chance: z.strictObject({ auroc: share, aupr: maybeShare, auprError: maybeShare }),
  uncertainty: z.strictObject({ largest: z.number().nullable() }),
  /** Most that each number can differ from the exact one over all pixels. */
  bounds: z.record(z.string(), z.number().min(0)),
  reasons: z.record(z.string(), z.string()),
  /** Bootstrap over images; null where it was not asked for. */
  intervals: z
    .strictObject({ accuracy: interval, auroc: interval, aupr: interval, maxAmd: interval, maxF05: interval })
    .nullable(),
  policy: z.strictObject({ name: z.string(), unknown: treatment, void: treatment }),
  classes: z.array(z.strictObject({ name: z.string(), colour: z.tuple([byte, byte, byte]) })),
  /** Thresholds that each let about as many more pixels through; the codes of the example images refer to them. */
  levels: z.array(z.number()).max(256),
  examples: z.array(
    z.strictObject({ id: z.string(), file: fileName, width: count, height: count, image: z.boolean() }),
  ),
  /** sha256 of each file beside it: the sketch, the table and the images of its examples. */
  files: z.record(fileName, z.string()).optional(),
  command: z.string(),
  /** The weights that were measured: a file in the run folder, and what is in it. Null where unknown. */
  network: z.strictObject({ file: z.string(), fingerprint: z.string() }).nullable().default(null),
  /** Hash of the images and labels that it was measured, fitted and chosen on. Null where unknown. */
  data: z.string().nullable().default(null),
  /** Of everything that it depends on, the method's code among it: with another, it is measured again. Null where unknown. */
  key: z.string().nullable().default(null),
  /** Settings of the method, and how they were chosen. Null where there was nothing to choose. */
  chosen: z
    .strictObject({
      settings: z.record(z.string(), z.union([z.number(), z.string()])),
      by: z.enum(selections),
      /** Out of so many. */
      among: count.min(1),
      /** The data set that decided; null where none did. */
      on: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** What a person should know about how the method came about. */
  remarks: z.array(z.string()).default([]),
  seeds: z.record(z.string(), z.int()),
  environment: z.record(z.string(), z.string()),
});

/** A result file: what was measured of one method on one data set. */
export type ResultFile = Readonly<z.infer<typeof resultSchema>>;

const form = { schema: resultSchema, hint: "evaluate again to write it anew" };

/** Read a result file; damage is refused. Files from before there were seals have none. */
export const readResult = async (path: string): Promise<ResultFile> => parseResult(await readRegularFile(path), path);

/** The same of its bytes; `path` appears in errors, which name the field that is wrong. */
export const parseResult = (bytes: Uint8Array, path: string): ResultFile =>
  hasSeal(bytes) ? parseSealedJson(bytes, path, form) : parseJson(Buffer.from(bytes).toString("utf8"), path, form);
