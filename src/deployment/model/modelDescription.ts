import { LEAST_SIDE, MOST_SIDE } from "../../inference/imageOutputs.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";

/**
 * What a program needs to know of an exported model besides how to compute: `model.json` beside `model.onnx`, and what `Segmenter` reads
 * from the metadata of the ONNX file. No more than that, and no dependency: it is read in browsers too.
 */
export interface ModelDescription {
  /** "gamma-ssl", or the baseline it computes. */
  readonly method: string;
  readonly precision: string;
  /** The model scales images to this height, that of its training. */
  readonly height: number;
  readonly classes: readonly { readonly name: string; readonly colour: readonly [number, number, number] }[];
  /** What `similarity` is: from -1 to 1, or from 0; null for a baseline. */
  readonly score: "cosine" | "softmax" | null;
  /** A pixel is certain where its similarity is at least γ; null for a baseline, which has none. */
  readonly gamma: number | null;
  /** "training", or the data set γ was solved on; null without γ. */
  readonly gammaFrom: string | null;
  /** The images that `distance` is measured from, a data set each; null for a baseline, which does not measure it. */
  readonly distanceFrom: readonly { readonly on: string; readonly images: number }[] | null;
}

/** `model.json`: the description of a file, and how to tell that it is the right one. */
export interface ModelFile extends ModelDescription {
  readonly version: 1;
  /** Name of the ONNX file, its length and its sha256. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What export compared before it wrote the file. */
  readonly checks: Readonly<Record<string, unknown>>;
}

/** What files of today call their format in their metadata: they scale images. Those before had none, and wanted images of `height`. */
export const FORMAT = "2";

/** Refuse a model whose input means something else. */
export function requireFormat({ producer, format }: Readonly<Record<string, string>>, file: string): void {
  if (format === FORMAT || producer === undefined) return;
  throw new UserError(
    `${file} was written by another version, ${printable(producer)}, whose models do not scale images as today's do`,
    {
      hint: "gssl export writes it anew",
      code: "not-a-model",
    },
  );
}

/** The description in the metadata of an ONNX file that `exportModel` wrote. `file` is for messages. */
export function descriptionOf(metadata: Readonly<Record<string, string>>, file: string): ModelDescription {
  const refuse = (key: string, wanted: string): never => {
    throw new UserError(
      `${file} is not a model of gamma-ssl: its ${key} is ${printable((metadata[key] ?? "missing").slice(0, 100))}, wanted ${wanted}`,
      {
        hint: "gssl export writes one",
        code: "not-a-model",
      },
    );
  };
  requireFormat(metadata, file);
  const json = (key: string): unknown => {
    try {
      return JSON.parse(metadata[key] ?? "null");
    } catch {
      return null;
    }
  };
  const classes = json("classes");
  if (!Array.isArray(classes) || classes.length === 0 || !classes.every(isClass))
    return refuse("classes", "a list of names and colours");
  const height = json("height");
  if (typeof height !== "number" || !Number.isInteger(height) || height < LEAST_SIDE || height > MOST_SIDE)
    return refuse("height", `a whole number from ${LEAST_SIDE} to ${MOST_SIDE}`);
  const { method = "gamma-ssl", precision = "float32" } = metadata;
  const shared = { method, precision, height, classes: classes.map(({ name, colour }) => ({ name, colour })) };
  if (metadata.method !== undefined)
    return { ...shared, score: null, gamma: null, gammaFrom: null, distanceFrom: null };
  const gamma = json("gamma");
  if (typeof gamma !== "number") return refuse("gamma", "a number");
  const { score } = metadata;
  if (score !== "cosine" && score !== "softmax") return refuse("score", "cosine or softmax");
  const distanceFrom = json("distanceFrom");
  if (!Array.isArray(distanceFrom) || !distanceFrom.every(isPlace))
    return refuse("distanceFrom", "a list of data sets");
  return { ...shared, score, gamma, gammaFrom: metadata.gammaFrom ?? null, distanceFrom };
}

function isPlace(value: unknown): value is NonNullable<ModelDescription["distanceFrom"]>[number] {
  if (typeof value !== "object" || value === null) return false;
  const { on, images } = value as Partial<Record<"on" | "images", unknown>>;
  return typeof on === "string" && typeof images === "number";
}

type Class = ModelDescription["classes"][number];

function isClass(value: unknown): value is Class {
  if (typeof value !== "object" || value === null) return false;
  const { name, colour } = value as Partial<Record<keyof Class, unknown>>;
  return typeof name === "string" && Array.isArray(colour) && colour.length === 3 && colour.every(Number.isInteger);
}
