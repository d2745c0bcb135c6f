import { z } from "zod";
import type { ViewOptions } from "../../data/augment/view.js";
import { scores } from "./score.js";
import { TEMPERATURE } from "./segmentation.js";

const count = z.int().positive();
const share = z.number().min(0).max(1);
const weight = z.number().min(0);
const branch = z.enum(["head", "prototypes"]);

/** Everything that can be chosen about the method. Profiles and ablations are values of it; a config file has it under `options`. */
export const gammaOptionsSchema = z.strictObject({
  network: z.strictObject({
    outputStride: z.literal([8, 16]),
    /** Share of ASPP features dropped while training. */
    asppDropout: share,
    /** F: channels of the features and of the embeddings. */
    features: count.max(1024),
    /** Multiplies the encoder's channels. */
    width: z.number().positive().max(2),
    /** Stages of the encoder: 4 is ResNet-18, 3 leaves out its layer4. */
    stages: z.literal([3, 4]),
    /** Hidden layers of g_ρ. */
    hiddenLayers: z.literal([1, 2]),
  }),
  /** Images in a step. */
  batch: z.strictObject({ source: count.min(2), prototype: count.min(2), target: count.min(2) }),
  /** How much each loss counts. A loss of weight 0 is left out of the step. */
  weights: z.strictObject({
    /** L_s */
    supervised: weight,
    /** L_c */
    consistency: weight,
    /** L_u */
    uniformity: weight,
    /** L_p */
    prototype: weight,
    /** Cross-entropy of prototype segmentation on source labels, in both stages. Not in the paper. */
    prototypeSupervision: weight,
  }),
  /** τ of prototype segmentation, and of the head where it is the target of L_c. */
  temperature: z.number().positive(),
  headTemperature: z.number().positive(),
  /** What γ and M_γ are measured on: the cosine to the nearest prototype, or its softmax at τ. */
  score: z.enum(scores),
  /** Which pixels count in L_c: gammaSolver.ts. */
  certainty: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["gamma", "none", "soft", "per-class"]) }),
    z.strictObject({ kind: z.literal("constant"), share }),
  ]),
  /** γ of the trained model: the mean over the last steps (G-8), or solved once more with the prototypes of the whole source. */
  finalGamma: z.enum(["mean", "solved"]),
  /** Target: the branch f of Eq. 6, which L_c takes as a constant. Query: the branch g, which learns, and answers after training. */
  branches: z.strictObject({ target: branch, query: branch }),
  /** What makes the two segmentations differ: two views of an image, or one view and two draws of the encoder's dropout. */
  perturbation: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("views") }),
    z.strictObject({ kind: z.literal("dropout"), rate: share }),
  ]),
  /** Where the unlabelled images come from. */
  unlabelled: z.enum(["target", "source"]),
  uniformity: z.strictObject({
    form: z.enum(["log-mean", "paper-sum"]),
    /** t of Eq. 9 */
    sharpness: z.number().positive(),
    /** Features are averaged over cells of this side before they are projected and compared. */
    pooling: count,
    /** Whether the first stage has L_u, too, over features of the target. */
    pretraining: z.boolean(),
  }),
  prototypes: z.strictObject({
    /** A labelled batch of their own, or the one L_s learns from. */
    from: z.enum(["separate", "source"]),
    /** A class that is not in the batch keeps its most recent prototype. */
    history: z.boolean(),
    labels: z.enum(["weighted-mode", "mode", "nearest"]),
    /** At test time: every pixel of the data set counts the same, or every batch does. */
    dataset: z.enum(["pixels", "batches"]),
  }),
  /** In the second stage: statistics of each batch, or those that the first stage gathered. */
  batchNorm: z.enum(["batch", "frozen"]),
  /** Which weights give the target of L_c: the network's own, or an average of its recent ones. */
  teacher: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("self") }),
    z.strictObject({ kind: z.literal("averaged"), keep: share }),
  ]),
  /** L_s is a mean over labelled pixels, or over all of them. */
  supervisedOver: z.enum(["labelled", "all"]),
  training: z.strictObject({
    learningRate: z.number().positive(),
    /** In the second stage, multiply the learning rate of: conv1 and layer1; the rest of E; f_ψ. A part of rate 0 is frozen. */
    rates: z.strictObject({ stem: weight, encoder: weight, head: weight }),
    schedule: z.enum(["constant", "poly"]),
    /** Steps of the first stage, and of the second in each target. */
    pretraining: z.int().min(0),
    adaptation: z.int().min(0),
    /** Share of the second stage, in the first target, in which E is frozen and g_ρ learns alone. */
    warmUp: z.number().min(0).max(0.3),
  }),
});
export type GammaOptions = z.infer<typeof gammaOptionsSchema>;
export type LossName = keyof GammaOptions["weights"];
export type NetworkOptions = GammaOptions["network"];

/** Our reading of the text (docs/requirements.md, section 16). */
export const paper: GammaOptions = {
  network: { outputStride: 16, asppDropout: 0.5, features: 256, width: 1, stages: 4, hiddenLayers: 1 },
  batch: { source: 12, prototype: 12, target: 12 },
  weights: { supervised: 1, consistency: 1, uniformity: 1, prototype: 1, prototypeSupervision: 0 },
  temperature: TEMPERATURE,
  headTemperature: TEMPERATURE,
  score: "cosine",
  certainty: { kind: "gamma" },
  finalGamma: "mean",
  branches: { target: "head", query: "prototypes" },
  perturbation: { kind: "views" },
  unlabelled: "target",
  uniformity: { form: "log-mean", sharpness: 2, pooling: 4, pretraining: true },
  prototypes: { from: "separate", history: true, labels: "weighted-mode", dataset: "pixels" },
  batchNorm: "batch",
  teacher: { kind: "self" },
  supervisedOver: "labelled",
  training: {
    learningRate: 5e-4,
    rates: { stem: 1, encoder: 1, head: 1 },
    schedule: "constant",
    pretraining: 64_000,
    adaptation: 96_000,
    warmUp: 0,
  },
};

/** The choices of the authors' code, where they differ and are not defects. */
export const official: GammaOptions = {
  ...paper,
  network: { ...paper.network, outputStride: 8, asppDropout: 0 },
  batch: { source: 24, prototype: 24, target: 24 },
  prototypes: { ...paper.prototypes, dataset: "batches" },
  supervisedOver: "all",
};

/** `paper` with what makes it work in minutes on two cores; docs/method.md has the reason and the ablation of each departure. */
export const small: GammaOptions = {
  ...paper,
  network: { ...paper.network, asppDropout: 0, features: 128, stages: 3 },
  batch: { source: 6, prototype: 6, target: 6 },
  weights: { ...paper.weights, uniformity: 0.05, prototype: 0.05, prototypeSupervision: 1 },
  score: "softmax",
  finalGamma: "solved",
  uniformity: { ...paper.uniformity, pretraining: false },
  prototypes: { ...paper.prototypes, from: "source" },
  batchNorm: "frozen",
  teacher: { kind: "averaged", keep: 0.99 },
  training: {
    learningRate: 5e-4,
    rates: { stem: 0, encoder: 0.6, head: 0.3 },
    schedule: "poly",
    pretraining: 4000,
    adaptation: 600,
    warmUp: 0.1,
  },
};

export const profiles = { paper, official, small } as const satisfies Record<string, GammaOptions>;
export type ProfileName = keyof typeof profiles;

/** Views of the authors' code (A-4 to A-6); the text gives no sizes. */
const paperView: ViewOptions = {
  height: 480,
  crop: [256, 256],
  scale: [0.69, 1.31],
  flip: 0.5,
  local: { chance: 0.5, side: [1 / 3, 1 / 2] },
  colour: { disturb: true, jitter: { brightness: 0.3, contrast: 0.3, saturation: 0.3, hue: 0.3 } },
};

/** How each profile turns images into training views, labelled and unlabelled ones alike. */
export const profileViews: Readonly<Record<ProfileName, ViewOptions>> = {
  paper: paperView,
  official: paperView,
  // A third of a crop of 128 pixels shows too little to be told: the views would agree on a third of the pixels.
  small: { ...paperView, height: 192, crop: [128, 160], local: { chance: 0.5, side: [0.5, 0.9] } },
};
