import { expect, test } from "vitest";
import { type AblationName, ablations } from "./ablations.js";
import { type GammaOptions, official, paper, small } from "./options.js";

/** Every single choice of some options, as `path: value`. */
function choices(options: object, path = ""): string[] {
  return Object.entries(options).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? choices(value, `${path}${key}.`)
      : [`${path}${key}: ${JSON.stringify(value)}`],
  );
}
const changed = (from: GammaOptions, to: GammaOptions): string[] =>
  choices(to).filter((choice) => !choices(from).includes(choice));

/** What the ablations of some lines change in a profile. */
function varied(options: GammaOptions, wanted: (id: string | null) => boolean): Record<string, string[]> {
  const names = (Object.keys(ablations) as AblationName[]).filter((name) => wanted(ablations[name].id));
  return Object.fromEntries(names.map((name) => [name, changed(options, ablations[name].vary(options))]));
}

test("AB-1 to AB-11: each ablation changes one thing of the paper's settings", () => {
  expect(varied(paper, (id) => id !== null)).toEqual({
    "no-ssl": ["training.adaptation: false"],
    "no-sax": ['unlabelled: "source"'],
    "no-filter": ['certainty.kind: "none"'],
    "sym-param": ['branches.query: "head"'],
    "sym-non-param": ['branches.target: "prototypes"'],
    "no-regl": ["weights.uniformity: 0", "weights.prototype: 0"],
    "mcd-ssl": ['perturbation.kind: "dropout"', "perturbation.rate: 0.2"],
    "soft-mask": ['certainty.kind: "soft"'],
    "per-class": ['certainty.kind: "per-class"'],
    "prototypes-12": [],
    "prototypes-8": ["batch.prototype: 8"],
    "prototypes-6": ["batch.prototype: 6"],
    "prototypes-2": ["batch.prototype: 2"],
    "prototypes-2-no-history": ["batch.prototype: 2", "prototypes.history: false"],
    "constant-share": ['certainty.kind: "constant"', "certainty.share: 0.6"],
  });
});

test("each departure of the small profile can be taken back by itself", () => {
  const taken = varied(small, (id) => id === null);
  expect(taken).toEqual({
    "no-prototype-supervision": ["weights.prototypeSupervision: 0"],
    "late-prototypes": ["prototypes.pretrained: false"],
    "wide-projection": ["network.projectionWidth: 1"],
    "prototype-classes": ['classFrom: "prototypes"'],
    "mean-gamma": ['finalGamma: "mean"'],
    "cosine-score": ['score: "cosine"'],
    "sharp-head": ["headTemperature: 0.07"],
    "both-coloured": ["familiarity: null"],
    "labels-for-the-head": ["weights.headConsistency: 0"],
    "no-warm-up": ["training.warmUp.share: 0", 'training.warmUp.pixels: "certain"'],
    "adapt-everywhere": ['training.adaptsTo: "every"'],
    "own-teacher": ['teacher.kind: "self"'],
    "batch-statistics": ['batchNorm.encoder: "batch"', 'batchNorm.target: "batch"'],
    "apart-statistics": ['batchNorm.projection: "each"'],
    "full-rates": ["training.encoderRate: 1", "training.headRate: 1", "training.adaptationRate: 1"],
    "full-regularisation": ["weights.uniformity: 1", "weights.prototype: 1"],
    "constant-rate": ['training.schedule: "constant"'],
  });
  // Besides sizes and budgets, and the batch that prototypes come from (AB-10), nothing is left over.
  const all = Object.keys(taken).reduce((options, name) => ablations[name as AblationName].vary(options), small);
  const sizes = ["network.", "batch.", "training.steps", "training.pretrainShare", "prototypes.from"];
  expect(changed(paper, all).filter((choice) => !sizes.some((size) => choice.startsWith(size)))).toEqual([]);
});

test("every ablation of the requirements is there", () => {
  const ids = new Set(Object.values(ablations).flatMap(({ id }) => id ?? []));
  expect([...ids]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((number) => `AB-${number}`));
});

test("what the paper does not have is off in the paper's profile", () => {
  expect([paper.weights.prototypeSupervision, paper.weights.headConsistency]).toEqual([0, 0]);
  expect(paper.teacher.kind).toBe("self");
  expect(paper.batchNorm.encoder).toBe("batch");
  expect([paper.score, paper.classFrom]).toEqual(["cosine", "prototypes"]);
  expect([paper.training.warmUp.share, paper.training.encoderRate, paper.training.headRate]).toEqual([0, 1, 1]);
});

test("profiles differ from the paper's in what docs/method.md lists", () => {
  expect(changed(paper, official)).toEqual([
    "network.outputStride: 8",
    "network.asppDropout: 0",
    "batch.source: 24",
    "batch.prototype: 24",
    "batch.target: 24",
    'prototypes.dataset: "batches"',
    'supervisedOver: "all"',
  ]);
  expect(changed(paper, small).filter((choice) => !choice.startsWith("batch."))).toEqual([
    "network.asppDropout: 0",
    "network.features: 128",
    "network.projectionWidth: 0.5",
    "weights.uniformity: 0",
    "weights.prototype: 0",
    "weights.prototypeSupervision: 1",
    "weights.headConsistency: 1",
    "headTemperature: 1",
    'score: "lesser"',
    'finalGamma: "solved"',
    'classFrom: "head"',
    "familiarity: 0.65",
    'prototypes.from: "source"',
    "prototypes.pretrained: true",
    'batchNorm.encoder: "frozen"',
    'batchNorm.target: "running"',
    'batchNorm.projection: "joint"',
    'teacher.kind: "averaged"',
    "teacher.keep: 1",
    "training.encoderRate: 0.1",
    "training.headRate: 0.3",
    'training.schedule: "poly"',
    "training.steps: 1200",
    "training.pretrainShare: 0.6666666666666666",
    "training.warmUp.share: 0.8",
    'training.warmUp.pixels: "all"',
    "training.adaptationRate: 0.0625",
    'training.adaptsTo: "familiar"',
  ]);
});
