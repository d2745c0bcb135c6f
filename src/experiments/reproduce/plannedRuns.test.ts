import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPlan, scenesPlan } from "./plan.js";
import { paperParts, plannedRuns } from "./plannedRuns.js";
import { outlineReproduction } from "./reproduce.js";

const domain = (name: string) => ({ name, train: `scenes:${name}?split=train`, test: `scenes:${name}?split=test` });
const settings = { source: "scenes:city?split=train", options: { training: { pretraining: 30, adaptation: 20 } } };
const plan = {
  settings,
  domains: [domain("town"), domain("forest"), domain("highland")],
  further: [domain("dusk")],
  unseen: [{ name: "night", test: "scenes:night?split=test" }],
  methods: "all",
};

test("R-2: each domain is adapted to alone, and by way of the first; all from one pre-training", () => {
  const runs = plannedRuns(plan, "runs", paperParts);
  expect(runs.map(({ name }) => name)).toEqual([
    "source",
    ...["gamma-ssl-town", "gamma-ssl-forest", "gamma-ssl-highland", "gamma-ssl-dusk"],
    ...["curriculum-forest", "curriculum-highland"],
  ]);
  const [source, ...adapted] = runs;
  expect(source!.config.options.training).toMatchObject({ pretraining: 30, adaptation: 0 });
  for (const { config, tests } of adapted) {
    expect(config).toMatchObject({ weights: "runs/source/weights.safetensors", ablation: null });
    expect(config.options.training).toMatchObject({ pretraining: 0, adaptation: 20 });
    expect(tests).toEqual(["town", "forest", "highland", "dusk", "night"]);
  }
  expect(runs.at(-1)!.config.targets).toEqual([plan.domains[0]!.train, plan.domains[2]!.train]);
});

test("R-2: ablations are measured where the paper has them; NoSAX, which has no target, is trained once", () => {
  const runs = plannedRuns(plan, "runs", []);
  const of = (ablation: string) => runs.filter(({ config }) => config.ablation === ablation);
  expect(of("no-sax").map(({ tests }) => tests)).toEqual([["town", "forest", "highland"]]);
  expect(of("no-filter").map(({ tests }) => tests)).toEqual([["town"], ["forest"], ["highland"]]);
  expect(of("per-class").map(({ tests }) => tests)).toEqual([["town"]]);
  expect(of("prototypes-2-no-history")[0]!.config.options).toMatchObject({
    batch: { prototype: 2 },
    prototypes: { history: false },
  });
  expect(plannedRuns(plan, "runs", ["ablations"]).filter(({ config }) => config.ablation !== null)).toHaveLength(6);
});

test("R-2: the outline has every training, networks of baselines included, and needs no images", () => {
  const { trainings } = outlineReproduction({ ...plan, methods: "ensemble-pe-5,vim" }, { to: "x", skip: paperParts });
  expect(trainings.map(({ name, steps }) => `${name} ${steps}`)).toEqual([
    "source 30",
    ...["town", "forest", "highland", "dusk"].map((name) => `gamma-ssl-${name} 20`),
    "curriculum-forest 40",
    "curriculum-highland 40",
    ...[1, 2, 3, 4, 5].map((member) => `source/baselines/member-${member} 30`),
  ]);
  expect(outlineReproduction(scenesPlan(0), { to: "x" }).trainings.length).toBeGreaterThan(40);
});

test("R-2: a plan with a mistake is refused with the place of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plan-"));
  const path = join(folder, "plan.json");
  const refused = async (change: object) => {
    await writeFile(path, JSON.stringify({ ...plan, ...change }));
    return readPlan(path).then(
      () => "",
      (error: Error) => error.message,
    );
  };
  expect(await refused({})).toBe("");
  expect(await refused({ domains: [] })).toContain(`${path}: domains`);
  expect(await refused({ further: [{ ...domain("town"), test: "scenes:dusk" }] })).toContain("the same name");
  expect(await refused({ unseen: [{ name: "other", test: domain("town").test }] })).toContain("the same images");
  expect(await refused({ unseen: [{ name: "../x", test: "scenes:night" }] })).toContain(
    'unseen.0.name is "../x": wanted letters',
  );
  expect(await refused({ settings: {} })).toContain("settings.source");
  expect(await refused({ domain: [] })).toContain('"domain"');
  await rm(folder, { recursive: true });
});
