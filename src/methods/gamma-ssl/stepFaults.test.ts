import { beforeAll, describe, expect, test } from "vitest";
import { gammaBatch, tinyPlan } from "../../../test/gammaBatch.js";
import { allFinite, float32Of, one, runtime, steps } from "../../../test/gammaSteps.js";
import { floats, type HostTensor, type Tensors } from "../../engine/tensor/hostTensor.js";
import { Stepper } from "../../networks/optim/stepper.js";
import { type AblationName, ablations } from "./ablations.js";
import { type GammaOptions, official, paper, small } from "./options.js";
import { gammaStep, type StepPlan } from "./step.js";

/** Whether two states differ in a tensor that both have. */
const differ = (a: Tensors, b: Tensors): boolean =>
  Object.keys(a).some((name) => name in b && a[name]!.data.join() !== b[name]!.data.join());

describe("measures are finite in steps of", () => {
  const stages: [string, StepPlan][] = [
    ["the paper's warm-up", tinyPlan("warm-up")],
    ["the authors' adaptation", tinyPlan("adaptation", official)],
    ["the small pre-training", tinyPlan("pretraining", small)],
    ["the small warm-up", tinyPlan("warm-up", small)],
    ["the small adaptation", tinyPlan("adaptation", small)],
  ];
  test.each(stages)("%s", async (_, plan) => {
    const { measures } = await steps(gammaStep(plan), 2);
    expect(measures.every(allFinite)).toBe(true);
  });
});

describe("two steps end with other weights than those of small in the ablation", () => {
  // These change data, budget, schedule or what comes after the steps; prototypes of 12, 8 and 6 are one program here.
  const elsewhere = ["no-ssl", "no-sax", "mean-gamma", "no-warm-up", "constant-rate", "early-uniformity"];
  const names = (Object.keys(ablations) as AblationName[]).filter((name) => !/prototypes-(12|8)/.test(name));
  const stateAfter = async (options: GammaOptions): Promise<Tensors> => {
    const { measures, state } = await steps(gammaStep(tinyPlan("adaptation", options)), 2);
    expect(measures.every(allFinite)).toBe(true);
    return state;
  };
  let plain: Tensors;
  beforeAll(async () => {
    plain = await stateAfter(small);
  });
  test.each(names)("%s", async (name) => {
    expect(differ(plain, await stateAfter(ablations[name].vary(small)))).toBe(!elsewhere.includes(name));
  });
});

describe.each([
  ["paper", paper],
  ["small", small],
] as const)("L-13: losses of the profile %s stay finite when", (_, options) => {
  const step = gammaStep(tinyPlan("adaptation", options));
  const batch = gammaBatch(step, 0);
  const filled = (name: string, value: number): Tensors => {
    // The small profile makes its prototypes of the source batch.
    if (batch[name] === undefined) return {};
    const { dtype, shape, data } = batch[name];
    const same = data instanceof BigInt64Array ? data.map(() => BigInt(value)) : data.map(() => value);
    return { [name]: { dtype, shape, data: same as HostTensor["data"] } };
  };
  const cases: Record<string, Tensors> = {
    "no pixel is valid": filled("target.valid", 0),
    "the labelled batch has one class": { ...filled("source.labels", 1), ...filled("prototype.labels", 1) },
    "nothing is labelled": { ...filled("source.labels", 255), ...filled("prototype.labels", 255) },
    "all images are constant": {
      ...filled("target.first", 0.5),
      ...filled("target.second", 0.5),
      ...filled("source.images", 0.5),
      ...filled("prototype.images", 0.5),
    },
  };
  /** Two steps from the same start: all that was measured, and the last state. */
  const run = async (feeds: Tensors, state: Tensors = {}) => {
    const stepper = await Stepper.open(runtime, step, { seed: 1, state });
    const measures = [await stepper.run({ ...batch, ...feeds }, 1e-3), await stepper.run({ ...batch, ...feeds }, 1e-3)];
    await stepper.close();
    expect(measures.every(allFinite)).toBe(true);
    expect(Object.values(await stepper.state()).every((tensor) => floats(tensor, "state").every(Number.isFinite))).toBe(
      true,
    );
    return measures;
  };
  test.each(Object.entries(cases))("%s", async (_case, feeds) => {
    await run(feeds);
  });

  /** The rare class nowhere in the labels. */
  const withoutRare = Object.fromEntries(
    ["source.labels", "prototype.labels"].flatMap((name) => {
      const labels = batch[name];
      const data = (labels?.data as BigInt64Array | undefined)?.map((id) => (id === 4n ? 0n : id));
      return labels === undefined ? [] : [[name, { ...labels, data: data! }]];
    }),
  );

  test("no pixel is consistent, and next to none certain", async () => {
    // The target branch believes in the rare class alone, which the other has no prototype of and so never names.
    const bias = float32Of([0, 0, 0, 0, 99]);
    const believer = { "segmentation_head.0.bias": bias, "teacher.segmentation_head.0.bias": bias };
    const state = Object.fromEntries(Object.entries(believer).filter(([name]) => step.state.has(name)));
    const [first] = await run(withoutRare, state);
    expect(one(first!, "consistent")).toBe(0);
    expect(one(first!, "certain")).toBeLessThan(0.01);
  });

  test("a class is never seen, and then it is never predicted", async () => {
    for (const measures of await run(withoutRare)) expect(floats(measures["class.predicted"], "predicted")[4]).toBe(0);
  });

  test("p(certain) is 0 where no pixel is valid", async () => {
    const stepper = await Stepper.open(runtime, step, { seed: 1 });
    const measures = await stepper.run({ ...batch, ...filled("target.valid", 0) }, 1e-3);
    await stepper.close();
    expect([one(measures, "certain"), one(measures, "loss.consistency")]).toEqual([0, 0]);
  });
});
