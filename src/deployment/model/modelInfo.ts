import { z } from "zod";
import type { Dataset } from "../../data/datasets/dataset.js";
import type { Program, Signature } from "../../engine/runtime/runtime.js";
import { selections } from "../../evaluation/results/resultFile.js";
import { type ImageProgram, LEAST_SIDE, MOST_SIDE } from "../../inference/imageOutputs.js";
import { scores } from "../../methods/gamma-ssl/score.js";
import { baselineSignature, deployedSignature, withProbabilities } from "../../methods/parts/deployedSignature.js";
import { programVersion } from "../../platform/environment.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { FORMAT, requireFormat } from "./modelDescription.js";

const share = z.number().min(0).max(1);

/** How much of an image is certain, where the model was made for: on images it was not taught with labels of. */
export const expectedSchema = z.strictObject({
  /** Mean share of certain pixels, and how far single images stray from it. */
  mean: share,
  deviation: z.number().min(0),
  lowest: share,
  images: z.int().positive(),
  /** The data set they were measured on. */
  on: z.string(),
});
export type ExpectedCertain = z.infer<typeof expectedSchema>;

/** Images that `distance` is measured from. */
export const placeSchema = z.strictObject({
  /** The data set, and how many of its images were looked at. */
  on: z.string(),
  images: z.int().positive(),
});
export type ComparedPlace = z.infer<typeof placeSchema>;

/** What every model knows about itself. */
const common = {
  producer: z.string(),
  precision: z.enum(["float32", "float16", "int8"]),
  classes: z.array(z.strictObject({ name: z.string(), colour: z.tuple([z.int(), z.int(), z.int()]) })).min(1),
  /** Images are scaled to this height, as in training; at another, things would look larger or smaller than the network knows. */
  height: z.int().min(LEAST_SIDE).max(MOST_SIDE),
  /** sha256 of the weights of the network. */
  weights: z.string(),
  /** The config of the training: data, options, seed. */
  training: z.record(z.string(), z.unknown()),
};

const schema = z.strictObject({
  ...common,
  /** What `similarity` is, and what γ is compared with. */
  score: z.enum(scores),
  temperature: z.number().positive(),
  gamma: z.number(),
  /** Where γ comes from: "training", or the data set it was solved on. */
  gammaFrom: z.string(),
  expectedCertain: expectedSchema,
  /** What `distance` is the distance to: the nearest of these. */
  distanceFrom: z.array(placeSchema).min(1),
  /** Whether the distribution of Eq. 4, with "unknown" as its last class, is an output. */
  probabilities: z.boolean().default(false),
  /** Classes of the source that no image showed: never predicted. */
  unseen: z.array(z.string()),
});

const baselineSchema = z.strictObject({
  ...common,
  method: z.string(),
  /** Hyper-parameters of the method, and how they were chosen. */
  settings: z.record(z.string(), z.union([z.number(), z.string()])),
  chosen: z.strictObject({ by: z.enum(selections), among: z.int().positive(), on: z.string().nullable() }),
  /** Where the weights lie in the run folder. */
  network: z.string(),
  /** What fitting it found strange: classes without pixels, a matrix that had to be helped. */
  remarks: z.array(z.string()),
});

/** What a model takes and gives. */
export function signatureOf(info: ModelInfo | BaselineInfo): Signature {
  if ("method" in info) return baselineSignature;
  return info.probabilities ? withProbabilities(info.classes.length) : deployedSignature;
}

/** A loaded model with what its outputs may be. `name` is what messages call it. */
export const imageProgram = (program: Program, info: ModelInfo | BaselineInfo, name: string): ImageProgram => ({
  ...{ program, name, height: info.height, classes: info.classes.length },
  score: "method" in info ? null : info.score,
});

/** Everything a model knows about itself, besides how to compute. */
export type ModelInfo = z.infer<typeof schema>;
/** The same of a baseline's model. */
export type BaselineInfo = z.infer<typeof baselineSchema>;

export const producer = (): string => `gamma-ssl ${programVersion()}`;

/** Names and colours of the classes of a labelled data set, in order. */
export const classList = ({ labelling }: Dataset): ModelInfo["classes"] =>
  labelling!.classes.classes.map(({ name, colour }) => ({ name, colour: [...colour] }));

/** As the metadata of an ONNX file: one text for each, JSON but for plain words. */
export function metadataOf(info: ModelInfo | BaselineInfo): Record<string, string> {
  const texts = Object.entries(info).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return { format: FORMAT, ...Object.fromEntries(texts) };
}

type Metadata = Readonly<Record<string, string>>;

/** Read back what `metadataOf` wrote. */
export function infoOf(metadata: Metadata, file: string): ModelInfo {
  if (metadata.method !== undefined) {
    throw new UserError(`${file} computes "${printable(metadata.method)}", which has no γ: nothing here is certain`, {
      hint: "its card shows how to call it; gssl export --method gamma-ssl writes a model with a γ",
    });
  }
  return parsedAs(schema, metadata, file);
}

/** The same of a baseline's model. */
export const baselineInfoOf = (metadata: Metadata, file: string): BaselineInfo =>
  parsedAs(baselineSchema, metadata, file);

function parsedAs<Info>(wanted: z.ZodType<Info>, metadata: Metadata, file: string): Info {
  requireFormat(metadata, file);
  const { format: _, seal: __, ...told } = metadata;
  const found = Object.entries(told).map(([key, text]) => [key, words.has(key) ? text : fromJson(text)]);
  const parsed = wanted.safeParse(Object.fromEntries(found));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${file} is not a model of gamma-ssl: ${issue!.path.join(".")}: ${issue!.message}`, {
    hint: "gssl export writes one",
  });
}

/** Plain words, which are never JSON. */
const words = new Set(["producer", "precision", "score", "gammaFrom", "weights", "method", "network"]);

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
