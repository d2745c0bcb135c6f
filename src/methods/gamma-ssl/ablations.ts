import { type GammaOptions, paper } from "./options.js";

/** One thing taken away or replaced (sections IX and X). */
export interface Ablation {
  /** Its line in the requirements, and its name in the paper's tables; null for what the paper never had. */
  readonly id: string | null;
  readonly paper: string | null;
  vary(options: GammaOptions): GammaOptions;
}

const ablation = (id: string, paper: string, vary: Ablation["vary"]): Ablation => ({ id, paper, vary });

const prototypeBatch = (size: number, history: boolean): Ablation =>
  ablation("AB-10", `batch size ${size}, history ${history ? "yes" : "no"}`, (options) => ({
    ...options,
    batch: { ...options.batch, prototype: size },
    // A batch of its own: the size of the other batches stays.
    prototypes: { ...options.prototypes, from: "separate", history },
  }));

/** Something that `small` adds to the paper, taken back. */
const departure = (vary: Ablation["vary"]): Ablation => ({ id: null, paper: null, vary });

/** Every ablation of the paper, and every departure of `small` from it, by the name one types. */
export const ablations = {
  "no-ssl": ablation("AB-1", "NoSSL", (options) => ({
    ...options,
    training: { ...options.training, adaptation: 0 },
  })),
  "no-sax": ablation("AB-2", "NoSAX", (options) => ({ ...options, unlabelled: "source" })),
  "no-filter": ablation("AB-3", "M_γ=-∞", (options) => ({ ...options, certainty: { kind: "none" } })),
  "sym-param": ablation("AB-4", "Sym-Param", (options) => ({
    ...options,
    branches: { ...options.branches, query: "head" },
  })),
  "sym-non-param": ablation("AB-5", "Sym-Non-Param", (options) => ({
    ...options,
    branches: { ...options.branches, target: "prototypes" },
  })),
  "no-regl": ablation("AB-6", "NoRegL", (options) => ({
    ...options,
    weights: { ...options.weights, uniformity: 0, prototype: 0 },
  })),
  "mcd-ssl": ablation("AB-7", "MCD-SSL", (options) => ({ ...options, perturbation: { kind: "dropout", rate: 0.2 } })),
  "soft-mask": ablation("AB-8", "soft M_γ", (options) => ({ ...options, certainty: { kind: "soft" } })),
  "per-class": ablation("AB-9", "per-class Γ", (options) => ({ ...options, certainty: { kind: "per-class" } })),
  "prototypes-12": prototypeBatch(12, true),
  "prototypes-8": prototypeBatch(8, true),
  "prototypes-6": prototypeBatch(6, true),
  "prototypes-2": prototypeBatch(2, true),
  "prototypes-2-no-history": prototypeBatch(2, false),
  // In the paper's source but not in print; the share is ours, close to what is consistent on London.
  "constant-share": ablation("AB-11", "p(c)=const.", (options) => ({
    ...options,
    certainty: { kind: "constant", share: 0.6 },
  })),
  "no-prototype-supervision": departure((options) => ({
    ...options,
    weights: { ...options.weights, prototypeSupervision: paper.weights.prototypeSupervision },
  })),
  "full-network": departure((options) => ({ ...options, network: paper.network })),
  "early-uniformity": departure((options) => ({ ...options, uniformity: paper.uniformity })),
  "separate-prototypes": departure((options) => ({
    ...options,
    prototypes: { ...options.prototypes, from: paper.prototypes.from },
  })),
  "cosine-score": departure((options) => ({ ...options, score: paper.score })),
  "mean-gamma": departure((options) => ({ ...options, finalGamma: paper.finalGamma })),
  "own-teacher": departure((options) => ({ ...options, teacher: paper.teacher })),
  "batch-statistics": departure((options) => ({ ...options, batchNorm: paper.batchNorm })),
  "no-warm-up": departure((options) => ({
    ...options,
    training: { ...options.training, warmUp: paper.training.warmUp },
  })),
  "full-rates": departure((options) => ({
    ...options,
    training: { ...options.training, rates: paper.training.rates },
  })),
  "full-regularisation": departure((options) => ({
    ...options,
    weights: { ...options.weights, uniformity: paper.weights.uniformity, prototype: paper.weights.prototype },
  })),
  "constant-rate": departure((options) => ({
    ...options,
    training: { ...options.training, schedule: paper.training.schedule },
  })),
} as const satisfies Record<string, Ablation>;
export type AblationName = keyof typeof ablations;
