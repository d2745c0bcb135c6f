import { expect, test } from "vitest";
import { type AblationName, ablations } from "./ablations.js";
import { type GammaOptions, official, paper, profiles, small } from "./options.js";

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
    "no-ssl": ["training.adaptation: 0"],
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
    "full-network": ["network.asppDropout: 0.5", "network.features: 256", "network.stages: 4"],
    "early-uniformity": ["uniformity.pretraining: true"],
    "separate-prototypes": ['prototypes.from: "separate"'],
    "cosine-score": ['score: "cosine"'],
    "mean-gamma": ['finalGamma: "mean"'],
    "own-teacher": ['teacher.kind: "self"'],
    "batch-statistics": ['batchNorm: "batch"'],
    "no-warm-up": ["training.warmUp: 0"],
    "full-rates": ["training.rates.stem: 1", "training.rates.encoder: 1", "training.rates.head: 1"],
    "full-regularisation": ["weights.uniformity: 1", "weights.prototype: 1"],
    "constant-rate": ['training.schedule: "constant"'],
  });
  // Besides sizes and budgets, the batch that prototypes come from (AB-10) and L_u in pre-training, nothing is left over.
  const all = Object.keys(taken).reduce((options, name) => ablations[name as AblationName].vary(options), small);
  const sizes = ["network.", "batch.", "training.pretraining", "training.adaptation"];
  const known = [...sizes, "prototypes.from", "uniformity.pretraining"];
  expect(changed(paper, all).filter((choice) => !known.some((start) => choice.startsWith(start)))).toEqual([]);
});

test("every ablation of the requirements is there", () => {
  const ids = new Set(Object.values(ablations).flatMap(({ id }) => id ?? []));
  expect([...ids]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((number) => `AB-${number}`));
});

test("what the paper does not have is off in the paper's profile", () => {
  expect(paper.weights.prototypeSupervision).toBe(0);
  expect(paper.teacher.kind).toBe("self");
  expect(paper.batchNorm).toBe("batch");
  expect(paper.score).toBe("cosine");
  expect(paper.headTemperature).toBe(paper.temperature);
  expect([paper.training.warmUp, paper.training.rates]).toEqual([0, { stem: 1, encoder: 1, head: 1 }]);
  expect([paper.network.stages, paper.network.width]).toEqual([4, 1]);
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
    "network.stages: 3",
    "weights.uniformity: 0.05",
    "weights.prototype: 0.05",
    "weights.prototypeSupervision: 1",
    'score: "softmax"',
    'finalGamma: "solved"',
    "uniformity.pretraining: false",
    'prototypes.from: "source"',
    'batchNorm: "frozen"',
    'teacher.kind: "averaged"',
    "teacher.keep: 0.99",
    "training.rates.stem: 0",
    "training.rates.encoder: 0.6",
    "training.rates.head: 0.3",
    'training.schedule: "poly"',
    "training.pretraining: 4000",
    "training.adaptation: 600",
    "training.warmUp: 0.1",
  ]);
});

test.each(Object.entries(profiles))("the profile %s has every part that makes the method γ-SSL", (_, options) => {
  const { weights, branches, certainty, perturbation, unlabelled, training } = options;
  expect([branches, certainty, perturbation, unlabelled]).toEqual([
    { target: "head", query: "prototypes" },
    { kind: "gamma" },
    { kind: "views" },
    "target",
  ]);
  for (const name of ["supervised", "consistency", "uniformity", "prototype"] as const)
    expect(weights[name], name).toBeGreaterThan(0);
  expect(training.warmUp).toBeLessThanOrEqual(0.3);
  expect(training.rates.encoder).toBeGreaterThan(0);
});
