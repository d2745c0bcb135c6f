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

test("AB-1 to AB-11: each ablation changes one thing of the paper's settings", () => {
  const names = Object.keys(ablations) as AblationName[];
  expect(Object.fromEntries(names.map((name) => [name, changed(paper, ablations[name].vary(paper))]))).toEqual({
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

test("every ablation of the requirements is there", () => {
  const ids = new Set(Object.values(ablations).map(({ id }) => id));
  expect([...ids]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((number) => `AB-${number}`));
});

test("what the paper does not have is off in the paper's profile", () => {
  expect(paper.weights.prototypeSupervision).toBe(0);
  expect(paper.teacher.kind).toBe("self");
  expect(paper.batchNorm.encoder).toBe("batch");
  expect(paper.score).toBe("cosine");
  expect([paper.training.warmUpSteps, paper.training.encoderRate, paper.training.headRate]).toEqual([0, 1, 1]);
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
    "weights.uniformity: 0.05",
    "weights.prototype: 0.05",
    "weights.prototypeSupervision: 1",
    'score: "softmax"',
    'prototypes.from: "source"',
    'batchNorm.encoder: "frozen"',
    'batchNorm.target: "running"',
    'teacher.kind: "averaged"',
    "teacher.keep: 0.998",
    "training.encoderRate: 0.05",
    "training.headRate: 0.05",
    'training.schedule: "poly"',
    "training.steps: 1000",
    "training.warmUpSteps: 60",
  ]);
});
