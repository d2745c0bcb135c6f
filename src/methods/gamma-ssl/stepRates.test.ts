import { describe, expect, test } from "vitest";
import { tinyPlan } from "../../../test/gammaBatch.js";
import { steps } from "../../../test/gammaSteps.js";
import { nodesOf } from "../../engine/graph/graph.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { sgd } from "../../networks/optim/optimiser.js";
import { type GammaOptions, small } from "./options.js";
import { type GammaStep, gammaStep, type StepPlan } from "./step.js";

describe("a part whose rate is 0", () => {
  const plan = (stage: StepPlan["stage"], rates: GammaOptions["training"]["rates"]): GammaStep =>
    gammaStep(tinyPlan(stage, { ...small, training: { ...small.training, rates } }));
  const weights = (step: GammaStep): string[] =>
    [...step.state.keys()].filter((name) =>
      /^(encoder|decoder|segmentation_head|projection)\..*(weight|bias)$/.test(name),
    );
  const isStem = (name: string): boolean => /^(teacher\.)?encoder\.(conv1|bn1|layer1)\./.test(name);
  const partOf = (name: string): string =>
    isStem(name) ? "stem" : /^decoder|^encoder/.test(name) ? "encoder" : name.split(".")[0]!;
  const partsOf = (names: readonly string[]): string[] => [...new Set(names.map(partOf))].sort();
  /** Names of the weights that a step changes. */
  const moved = async (step: GammaStep): Promise<string[]> => {
    const { state } = await steps(step, 2);
    return weights(step).filter((name) => String(state[name]!.data) !== String(step.state.get(name)!.start(1).data));
  };
  /** What the optimiser remembers something of. */
  const remembered = ({ state }: GammaStep): string[] =>
    [...state].flatMap(([name, { memory }]) => (memory ? [name.slice(name.indexOf(".") + 1)] : []));

  const ONE = { stem: 1, encoder: 1, head: 1 };
  const cases = [
    ["stem", { ...ONE, stem: 0 }, ["encoder", "projection", "segmentation_head"]],
    ["whole encoder", { ...ONE, stem: 0, encoder: 0 }, ["projection", "segmentation_head"]],
    ["head", { ...ONE, head: 0 }, ["encoder", "projection", "stem"]],
    ["whole DeepLab", { stem: 0, encoder: 0, head: 0 }, ["projection"]],
  ] as const;

  test.each(cases)("is frozen (%s): the other parts learn", async (_, rates, learning) => {
    const step = plan("adaptation", rates);
    expect(partsOf(await moved(step))).toEqual(learning);
    expect(partsOf(remembered(step))).toEqual(learning);
  });

  test.each(cases)("has no gradient, no output and no memory of the optimiser (%s)", (_, rates, learning) => {
    const [step, whole] = [plan("adaptation", rates), plan("adaptation", ONE)];
    const frozen = weights(step).filter((name) => !(learning as readonly string[]).includes(partOf(name)));
    expect(frozen.length).toBeGreaterThan(1);
    for (const name of frozen) {
      expect(step.state.get(name)).toMatchObject({ output: null, memory: false });
      expect(step.graph.outputs).not.toHaveProperty([`next.${name}`]);
    }
    expect([...step.state.keys()].sort()).toEqual(
      [...whole.state.keys()]
        .filter((name) => !frozen.some((one) => name.endsWith(`.${one}`) && !name.startsWith("teacher.")))
        .sort(),
    );
    expect(nodesOf(step.graph).length).toBeLessThan(nodesOf(whole.graph).length);
  });

  test("is frozen in the averaged teacher, too", () => {
    const { state } = plan("adaptation", { ...ONE, stem: 0 });
    const still = [...state].flatMap(([name, { output }]) =>
      name.startsWith("teacher.") && output === null ? [name] : [],
    );
    expect(still.filter(isStem)).toEqual(still);
    expect(still).toContain("teacher.encoder.layer1.0.conv1.weight");
    expect(state.get("teacher.encoder.layer2.0.conv1.weight")!.output).not.toBeNull();
  });

  test("learns in pre-training all the same", async () => {
    expect(partsOf(await moved(plan("pretraining", { stem: 0, encoder: 0, head: 0 })))).toEqual([
      "encoder",
      "projection",
      "segmentation_head",
      "stem",
    ]);
  });

  test("the warm-up freezes E: of everything but optimiser and history it changes g_ρ and the head", async () => {
    const step = plan("warm-up", ONE);
    expect(partsOf(await moved(step))).toEqual(["projection", "segmentation_head"]);
    expect(partsOf(remembered(step))).toEqual(["projection", "segmentation_head"]);
    const { state } = await steps(step, 3);
    const changed = [...step.state].flatMap(([name, { memory, start }]) =>
      memory || name.startsWith("history.") || String(state[name]!.data) === String(start(1).data) ? [] : [name],
    );
    expect(partsOf(changed.map((name) => name.replace(/^teacher\./, "")))).toEqual(["projection", "segmentation_head"]);
  });
});

test("a part learns at its share of the learning rate", async () => {
  const name = "segmentation_head.0.weight";
  /** Momentum-free descent, so that a step is as long as its rate. */
  const moved = async (head: number): Promise<number> => {
    const options: GammaOptions = { ...small, training: { ...small.training, rates: { stem: 0, encoder: 0.1, head } } };
    const step = gammaStep({ ...tinyPlan("adaptation", options), optimiser: sgd({ momentum: 0 }) });
    const { state } = await steps(step, 1);
    const [before, after] = [step.state.get(name)!.start(1), state[name]].map((tensor) => floats(tensor, name));
    return Math.hypot(...after!.map((value, i) => value - before![i]!));
  };
  expect((await moved(0.25)) / (await moved(1))).toBeCloseTo(0.25, 3);
});
