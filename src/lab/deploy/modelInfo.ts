import { z } from "zod";
import { UserError } from "../../errors.js";

const share = z.number().min(0).max(1);

/** How much of a frame is certain, where the model was made for: on frames it was not taught with labels of. */
export const expectedSchema = z.strictObject({
  /** Mean share of certain pixels, and how far single frames stray from it. */
  mean: share,
  deviation: z.number().min(0),
  lowest: share,
  frames: z.int().positive(),
  /** The data set they were measured on. */
  on: z.string(),
});
export type ExpectedCertain = z.infer<typeof expectedSchema>;

const schema = z.strictObject({
  producer: z.string(),
  precision: z.enum(["float32", "float16", "int8"]),
  classes: z.array(z.strictObject({ name: z.string(), colour: z.tuple([z.int(), z.int(), z.int()]) })).min(1),
  /** What `similarity` is, and what γ is compared with. */
  score: z.enum(["cosine", "softmax"]),
  temperature: z.number().positive(),
  gamma: z.number(),
  /** Where γ comes from: "training", or the data set it was solved on. */
  gammaFrom: z.string(),
  expectedCertain: expectedSchema,
  /** Pictures were scaled to this height in training; at another, things look larger or smaller than it knows. */
  height: z.int().positive(),
  /** Classes of the source that no picture showed: never answered. */
  unseen: z.array(z.string()),
  /** sha256 of the weights of the run. */
  weights: z.string(),
  /** The config of the training: data, options, seed. */
  training: z.record(z.string(), z.unknown()),
});

/** Everything a model knows about itself, besides how to compute. */
export type ModelInfo = z.infer<typeof schema>;

/** As the metadata of an ONNX file: one text for each, JSON but for plain words. */
export function metadataOf(info: ModelInfo): Record<string, string> {
  return Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** Read back what `metadataOf` wrote. */
export function infoOf(metadata: Readonly<Record<string, string>>, file: string): ModelInfo {
  const words = new Set(["producer", "precision", "score", "gammaFrom", "weights"]);
  const found = Object.entries(metadata).map(([key, text]) => [key, words.has(key) ? text : fromJson(text)]);
  const parsed = schema.safeParse(Object.fromEntries(found));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${file} is not a model of gamma-ssl: ${issue!.path.join(".")}: ${issue!.message}`, {
    hint: "gssl export writes one",
  });
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
