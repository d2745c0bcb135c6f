import type { CertaintyRule } from "./gammaSolver.js";
import type { LabelRule } from "./labelCells.js";
import type { NetworkOptions } from "./network.js";
import { type Score, TEMPERATURE } from "./segmentation.js";

/** How much each loss counts. A loss of weight 0 is left out of the step altogether. */
export interface LossWeights {
  /** L_s */
  readonly supervised: number;
  /** L_c */
  readonly consistency: number;
  /** L_u */
  readonly uniformity: number;
  /** L_p */
  readonly prototype: number;
  /** Cross-entropy of prototype segmentation on source labels: not in the paper, where nothing teaches it the source. */
  readonly prototypeSupervision: number;
  /** L_c for the head as well, in familiar places: not in the paper, where the head learns from labels alone. */
  readonly headConsistency: number;
}
export type LossName = keyof LossWeights;

/** Who segments a target view: f_ψ, or the prototypes behind g_ρ. */
export type Branch = "head" | "prototypes";

/** How the second stage begins. */
export interface WarmUp {
  /** Share of its steps in the first target; 0 is none. Later targets have none, and the steps that are left. */
  readonly share: number;
  /** Whether L_c, L_u, L_p and the prototypes' supervision reach E: a projection that starts cold would wreck it. */
  readonly encoder: "learning" | "resting";
  /** What L_c counts: pixels of M_γ, or all, as long as the query's certainty means little. */
  readonly pixels: "certain" | "all";
}

/** Everything that can be chosen about the method. Profiles and ablations are values of it. */
export interface GammaOptions {
  readonly network: NetworkOptions;
  /** Pictures in a step. */
  readonly batch: { readonly source: number; readonly prototype: number; readonly target: number };
  readonly weights: LossWeights;
  /** τ of prototype segmentation, and of the head where L_c takes it for its target. */
  readonly temperature: number;
  readonly headTemperature: number;
  /** What γ and M_γ are measured on, in training and after. */
  readonly score: Score;
  readonly certainty: CertaintyRule;
  /** γ of the whole training: the mean over its last steps (G-8), or solved once more when it is over. */
  readonly finalGamma: "mean" | "solved";
  /** Target: the top branch f of Eq. 6, which L_c learns from. Query: the bottom branch g, which learns. */
  readonly branches: { readonly target: Branch; readonly query: Branch };
  /** Who names the class of a pixel. How sure of it the model is, `score` says. */
  readonly classFrom: Branch;
  /**
   * The share of its answers that a network must keep under drawn colours, on arrival, for a place to be familiar. There, either view of a pair
   * keeps the colours of the picture; elsewhere it is always the one that L_c learns from. null: both are drawn everywhere (C_1 and C_2 of Eq. 6).
   */
  readonly familiarity: number | null;
  /** What makes the two segmentations differ: two views of a picture, or one view and two draws of dropout. */
  readonly perturbation: { readonly kind: "views" } | { readonly kind: "dropout"; readonly rate: number };
  /** Where the unlabelled pictures come from. */
  readonly unlabelled: "target" | "source";
  readonly uniformity: {
    readonly form: "log-mean" | "paper-sum";
    /** t of Eq. 9 */
    readonly sharpness: number;
    /** Features are averaged over cells of this side before they are projected and compared. */
    readonly pooling: number;
    /** Whose features L_u spreads in the first stage. */
    readonly pretrainOn: "source" | "target";
  };
  readonly prototypes: {
    /** A labelled batch of their own, or the one L_s learns from. */
    readonly from: "separate" | "source";
    /** A class that is not in the batch keeps its most recent prototype. */
    readonly history: boolean;
    /** The first stage, too, learns to segment the source by prototypes. */
    readonly pretrained: boolean;
    readonly labels: LabelRule;
    /** At test time: every pixel of the data set counts the same, or every batch does. */
    readonly dataset: "pixels" | "batches";
  };
  readonly batchNorm: {
    /** E by the statistics of each batch, or by those the first stage gathered. */
    readonly encoder: "batch" | "frozen";
    /** The target branch, which gathers nothing: by its batch, or by the running statistics. */
    readonly target: "batch" | "running";
    /** g_ρ by the statistics of each batch, or of the labelled and unlabelled batch together. */
    readonly projection: "each" | "joint";
  };
  /** Who gives the target of L_c: the network itself, or an average of its recent weights. One that keeps all of itself stays as the stage began. */
  readonly teacher: { readonly kind: "self" } | { readonly kind: "averaged"; readonly keep: number };
  /** L_s is a mean over labelled pixels, or over all of them. */
  readonly supervisedOver: "labelled" | "all";
  readonly training: {
    readonly learningRate: number;
    /** Multiply the learning rate of E and of f_ψ in the second stage. */
    readonly encoderRate: number;
    readonly headRate: number;
    readonly weightDecay: number;
    readonly schedule: "constant" | "poly";
    readonly steps: number;
    /** Share of the steps that belong to the first stage. */
    readonly pretrainShare: number;
    readonly warmUp: WarmUp;
    /** Multiplies the learning rate of what comes after the warm-up. */
    readonly adaptationRate: number;
    /** Whether what comes after the warm-up, where M_γ chooses what is learnt, comes in every place or in a familiar one. Later targets have it always. */
    readonly adaptsTo: "every" | "familiar";
    /** Whether there is a second stage. */
    readonly adaptation: boolean;
  };
}

/** Our reading of the text (requirements, section 17). */
export const paper: GammaOptions = {
  network: { outputStride: 16, asppDropout: 0.5, features: 256, projectionWidth: 1, width: 1, hiddenLayers: 1 },
  batch: { source: 12, prototype: 12, target: 12 },
  weights: { supervised: 1, consistency: 1, uniformity: 1, prototype: 1, prototypeSupervision: 0, headConsistency: 0 },
  temperature: TEMPERATURE,
  headTemperature: TEMPERATURE,
  score: "cosine",
  certainty: { kind: "gamma" },
  finalGamma: "mean",
  branches: { target: "head", query: "prototypes" },
  classFrom: "prototypes",
  familiarity: null,
  perturbation: { kind: "views" },
  unlabelled: "target",
  uniformity: { form: "log-mean", sharpness: 2, pooling: 4, pretrainOn: "source" },
  prototypes: {
    from: "separate",
    history: true,
    pretrained: false,
    labels: "weighted-mode",
    dataset: "pixels",
  },
  batchNorm: { encoder: "batch", target: "batch", projection: "each" },
  teacher: { kind: "self" },
  supervisedOver: "labelled",
  training: {
    learningRate: 5e-4,
    encoderRate: 1,
    headRate: 1,
    weightDecay: 0,
    schedule: "constant",
    steps: 160_000,
    pretrainShare: 0.4,
    warmUp: { share: 0, encoder: "learning", pixels: "certain" },
    adaptationRate: 1,
    adaptsTo: "every",
    adaptation: true,
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

/** What makes the method work in minutes on a small machine; docs/method.md says what each departure is for. */
export const small: GammaOptions = {
  ...paper,
  network: { ...paper.network, asppDropout: 0, features: 128, projectionWidth: 0.5 },
  batch: { source: 6, prototype: 6, target: 6 },
  weights: { supervised: 1, consistency: 1, uniformity: 0, prototype: 0, prototypeSupervision: 1, headConsistency: 1 },
  headTemperature: 1,
  score: "lesser",
  finalGamma: "solved",
  classFrom: "head",
  familiarity: 0.65,
  prototypes: { ...paper.prototypes, from: "source", pretrained: true },
  batchNorm: { encoder: "frozen", target: "running", projection: "joint" },
  teacher: { kind: "averaged", keep: 1 },
  training: {
    ...paper.training,
    encoderRate: 0.1,
    headRate: 0.3,
    schedule: "poly",
    steps: 1200,
    pretrainShare: 2 / 3,
    warmUp: { share: 0.8, encoder: "learning", pixels: "all" },
    adaptationRate: 1 / 16,
    adaptsTo: "familiar",
  },
};

export const profiles = { paper, official, small } as const satisfies Record<string, GammaOptions>;
export type ProfileName = keyof typeof profiles;
