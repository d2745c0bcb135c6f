import { z } from "zod";
import { type AblationName, ablations } from "../../methods/gamma-ssl/ablations.js";
import { type GammaOptions, type ProfileName, profiles } from "../../methods/gamma-ssl/options.js";
import { scores } from "../../methods/gamma-ssl/segmentation.js";

const count = z.int().positive();
const share = z.number().min(0).max(1);
const weight = z.number().min(0);
const branch = z.enum(["head", "prototypes"]);

/** Everything that can be chosen about the method, as it stands in a config file. What each means: methods/gamma-ssl/options.ts. */
export const gammaOptionsSchema: z.ZodType<GammaOptions> = z.strictObject({
  network: z.strictObject({
    outputStride: z.literal([8, 16]),
    asppDropout: share,
    features: count.max(1024),
    projectionWidth: z.number().positive().max(1),
    width: z.number().positive().max(2),
    hiddenLayers: z.literal([1, 2]),
  }),
  batch: z.strictObject({ source: count.min(2), prototype: count.min(2), target: count.min(2) }),
  weights: z.strictObject({
    supervised: weight,
    consistency: weight,
    uniformity: weight,
    prototype: weight,
    prototypeSupervision: weight,
    headConsistency: weight,
  }),
  temperature: z.number().positive(),
  headTemperature: z.number().positive(),
  score: z.enum(scores),
  certainty: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("gamma") }),
    z.strictObject({ kind: z.literal("none") }),
    z.strictObject({ kind: z.literal("soft") }),
    z.strictObject({ kind: z.literal("per-class") }),
    z.strictObject({ kind: z.literal("constant"), share }),
  ]),
  finalGamma: z.enum(["mean", "solved"]),
  branches: z.strictObject({ target: branch, query: branch }),
  classFrom: branch,
  familiarity: share.nullable(),
  perturbation: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("views") }),
    z.strictObject({ kind: z.literal("dropout"), rate: share }),
  ]),
  unlabelled: z.enum(["target", "source"]),
  uniformity: z.strictObject({
    form: z.enum(["log-mean", "paper-sum"]),
    sharpness: z.number().positive(),
    pooling: count,
    pretrainOn: z.enum(["source", "target"]),
  }),
  prototypes: z.strictObject({
    from: z.enum(["separate", "source"]),
    history: z.boolean(),
    pretrained: z.boolean(),
    labels: z.enum(["weighted-mode", "mode", "nearest"]),
    dataset: z.enum(["pixels", "batches"]),
  }),
  batchNorm: z.strictObject({
    encoder: z.enum(["batch", "frozen"]),
    target: z.enum(["batch", "running"]),
    projection: z.enum(["each", "joint"]),
  }),
  teacher: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("self") }),
    z.strictObject({ kind: z.literal("averaged"), keep: share }),
  ]),
  supervisedOver: z.enum(["labelled", "all"]),
  training: z.strictObject({
    learningRate: z.number().positive(),
    encoderRate: z.number().min(0),
    headRate: z.number().min(0),
    weightDecay: weight,
    schedule: z.enum(["constant", "poly"]),
    steps: count,
    pretrainShare: share,
    warmUp: z.strictObject({
      share: z.number().min(0).lt(1), // later targets have the steps that are left
      encoder: z.enum(["learning", "resting"]),
      pixels: z.enum(["certain", "all"]),
    }),
    adaptationRate: z.number().min(0),
    adaptsTo: z.enum(["every", "familiar"]),
    adaptation: z.boolean(),
  }),
});

export const profileNames = Object.keys(profiles) as [ProfileName, ...ProfileName[]];
export const ablationNames = Object.keys(ablations) as [AblationName, ...AblationName[]];
