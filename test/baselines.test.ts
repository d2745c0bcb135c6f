import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../src/data/datasets/dataset.js";
import { openDataset } from "../src/data/datasets/openDataset.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { askedMethods } from "../src/evaluation/askedMethods.js";
import { baselineRuns } from "../src/evaluation/baselineRuns.js";
import { type EvaluateOptions, evaluateRun } from "../src/evaluation/evaluateRun.js";
import { usualBaselines } from "../src/methods/baselineOptions.js";
import { methodNamed } from "../src/methods/registry.js";
import { openRun, type TrainedRun } from "../src/runs/openRun.js";
import { fakeBaseline, fakeRun } from "./fakeRun.js";

const named = (...names: string[]) => names.map((name) => methodNamed(name));
const SIZE = "height=32&width=64";
const SOURCE = `scenes:city?split=train&count=6&${SIZE}`;
let root: string;
let run: TrainedRun;
let data: Record<"source" | "validation" | "town" | "forest", Dataset>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "baselines-"));
  const open = (spec: string) => openDataset(spec, { cache: join(root, "cache", "scenes") });
  data = {
    source: await open(SOURCE),
    validation: await open(`scenes:city?split=val&count=4&${SIZE}`),
    town: await open(`scenes:town?split=test&count=3&${SIZE}`),
    forest: await open(`scenes:forest?split=test&count=3&${SIZE}`),
  };
  const folder = join(root, "run");
  const config = await fakeRun(folder, SOURCE);
  const networks = baselineRuns(config, named("ensemble-pe-10", "mc-dropout-pe", "dum"), usualBaselines);
  for (const [i, { name, config: own }] of networks.entries()) await fakeBaseline(folder, name, own, 10 + i);
  // A student looks like any supervised network.
  await fakeBaseline(folder, "distilled", baselineRuns(config, named("mcd-dsl"), usualBaselines).at(-1)!.config, 30);
  run = await openRun(folder);
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

const evaluation = (changes: Partial<EvaluateOptions> = {}): EvaluateOptions => ({
  runtime: nodeRuntime({ threads: 1 }),
  run,
  source: data.source,
  validation: data.validation,
  datasets: [data.town],
  methods: askedMethods([run.config], "all"),
  select: "source-val",
  baselines: usualBaselines,
  policy: "paper",
  examples: 1,
  again: false,
  command: "gssl evaluate",
  ...changes,
});

test("every method is measured on every data set, with the weights and settings it had", async () => {
  const results = await evaluateRun(evaluation({ datasets: [data.town, data.forest] }));
  expect(results.map(({ method }) => method)).toEqual(
    [...evaluation().methods, ...evaluation().methods].map(({ name }) => name),
  );
  for (const { auroc, pixels, examples } of results) {
    expect(auroc).toBeGreaterThan(0);
    expect(pixels).toBe(3 * 32 * 64);
    expect(examples).toHaveLength(1);
  }
  const of = (method: string) => results.find((one) => one.method === method)!;
  // T-2, B-11: five baselines and NoSSL share the weights of the first stage.
  for (const method of ["max-softmax", "odin", "mahalanobis", "mahalanobis-a", "vim", "no-ssl"])
    expect(of(method).network!.file).toBe("stages/1-pretraining.safetensors");
  expect(of("gamma-ssl").network!.file).toBe("weights.safetensors");
  expect(of("dum").network!.file).toBe("baselines/spectral/weights.safetensors");
  expect(of("ensemble-mi-5").network!.file.split(", ")).toHaveLength(5);
  // B-12: what was chosen, on what, out of how many.
  expect(of("max-softmax").chosen).toMatchObject({ by: "source-val", on: data.validation.spec, among: 10 });
  expect(of("odin").chosen).toMatchObject({ by: "source-val", among: 22 });
  expect(of("mahalanobis-a").chosen!.among).toBe(7);
  expect(of("mc-dropout-pe").chosen).toMatchObject({ by: "fixed", settings: { rate: 0.2, draws: 8 } });
  expect(of("entropy").chosen).toBeNull();
  expect(of("mahalanobis").remarks.join()).toContain("left out");
}, 600_000);

test("finished results are kept, and scorers too; --again measures anew; a new data set needs no new fit", async () => {
  const scorers = join(run.folder, "scorers");
  expect((await readdir(scorers)).sort()).toEqual([
    "chosen.json",
    ...[
      "dum",
      "gamma-ssl",
      "gmm",
      "kl-matching",
      "knn",
      "mahalanobis",
      "no-ssl",
      "react",
      "temperature-scaling",
      "vim",
    ].map((name) => `${name}.safetensors`),
  ]);
  const path = join(run.folder, "results", (await readdir(join(run.folder, "results")))[0]!, "vim.json");
  const before = await stat(path);
  const fitted = await stat(join(scorers, "vim.safetensors"));
  const started = performance.now();
  await evaluateRun(evaluation({ datasets: [data.town, data.forest] }));
  expect(performance.now() - started).toBeLessThan(3000);
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
  const [again] = await evaluateRun(evaluation({ datasets: [data.forest], methods: named("vim"), again: true }));
  expect((await stat(path)).mtimeMs).toBeGreaterThan(before.mtimeMs);
  expect((await stat(join(scorers, "vim.safetensors"))).mtimeMs).toBeGreaterThan(fitted.mtimeMs);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(again);
}, 600_000);

test("B-12: best-on-test chooses on the test images, is never worse there, and says so", async () => {
  const methods = named("max-softmax", "knn", "mahalanobis-a");
  const honest = await evaluateRun(evaluation({ methods }));
  const flattered = await evaluateRun(evaluation({ methods, select: "best-on-test" }));
  const fixed = await evaluateRun(evaluation({ methods, select: "fixed" }));
  for (const [i, { chosen, auroc }] of flattered.entries()) {
    expect(chosen).toMatchObject({ by: "best-on-test", on: data.town.spec });
    expect(auroc).toBeGreaterThanOrEqual(honest[i]!.auroc! - 1e-9);
    expect(auroc).toBeGreaterThanOrEqual(fixed[i]!.auroc! - 1e-9);
    expect(fixed[i]!.chosen).toMatchObject({ by: "fixed", among: 1, on: null });
  }
  // Asked for the honest choice once more, nobody gets the flattered or the fixed one that lies there now.
  expect(await evaluateRun(evaluation({ methods }))).toEqual(honest);
}, 600_000);

test("B-3: an ensemble answers the same with one member in memory as with all", async () => {
  const methods = named("ensemble-pe-5", "ensemble-mi-10");
  const measured = async (memory: "low" | "high") =>
    (await evaluateRun(evaluation({ methods, again: true, baselines: { ...usualBaselines, memory } }))).map(
      ({ accuracy, auroc, aupr }) => ({ accuracy, auroc, aupr }),
    );
  expect(await measured("low")).toEqual(await measured("high"));
}, 600_000);

test("B-2: averaging logits is another method of averaging, and its result says so", async () => {
  const baselines = { ...usualBaselines, average: "logits" as const };
  const measured = async (options: Partial<EvaluateOptions>) =>
    (await evaluateRun(evaluation({ methods: named("mc-dropout-pe"), ...options })))[0]!.chosen!.settings;
  expect(await measured({ baselines })).toEqual({ rate: 0.2, draws: 8, average: "logits" });
  expect(await measured({})).toEqual({ rate: 0.2, draws: 8, average: "probabilities" });
}, 600_000);

test("other classes, other weights and a method without what it needs are refused by name", async () => {
  const { labelling } = data.town;
  const renamed: Dataset = {
    ...data.town,
    labelling: {
      ...labelling!,
      classes: {
        name: "x",
        classes: labelling!.classes.classes.map((one, i) => (i === 3 ? { ...one, name: "moat" } : one)),
      },
    },
  };
  await expect(evaluateRun(evaluation({ datasets: [renamed] }))).rejects.toThrow("moat unknown here");
  await expect(
    evaluateRun(evaluation({ validation: null, methods: named("temperature-scaling"), again: true })),
  ).rejects.toThrow("temperature-scaling needs held-out labelled images");
  const moved = join(root, "moved");
  await fakeRun(moved, SOURCE, 5);
  const other = await openRun(moved);
  await evaluateRun(evaluation({ run: other, methods: named("vim") }));
  await fakeRun(moved, SOURCE, 6);
  const options = evaluation({ run: await openRun(moved), methods: named("vim") });
  await expect(evaluateRun(options)).rejects.toThrow("was fitted on other weights");
  expect(await evaluateRun({ ...options, again: true })).toHaveLength(1);
}, 600_000);

test("B-1: with several numbers of draws, the best on held-out images is chosen", async () => {
  const baselines = { ...usualBaselines, passes: [2, 4] };
  const [mi] = await evaluateRun(evaluation({ methods: named("mc-dropout-mi"), again: true, baselines }));
  expect(mi!.chosen).toMatchObject({ by: "source-val", among: 2, settings: { rate: 0.2 } });
}, 600_000);

test("T-2: a run that adapts another's weights has those for its baselines of one pass", async () => {
  const [before, after] = [join(root, "before"), join(root, "after")];
  await fakeRun(before, SOURCE, 7, { training: { adaptation: 0 } });
  const weights = join(before, "weights.safetensors");
  await fakeRun(after, SOURCE, 8, { weights, training: { pretraining: 0 } });
  const measured = async (folder: string) => {
    const methods = named("vim", "no-ssl");
    return evaluateRun(evaluation({ run: await openRun(folder), methods }));
  };
  const [shared, own] = [await measured(after), await measured(before)];
  expect(shared.map(({ network }) => network!.file)).toEqual([weights, weights]);
  expect(shared.map(({ auroc }) => auroc)).toEqual(own.map(({ auroc }) => auroc));
}, 600_000);

const gssl = (...words: string[]) =>
  promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words, "--cache", join(root, "cache")]);

test("gssl evaluate trains what baselines need, once, and prints one table; a network of other settings is refused", async () => {
  const folder = join(root, "fresh");
  await fakeRun(folder, SOURCE);
  const words = ["evaluate", folder, join(root, "run"), "--on", `scenes:town?split=test&count=3&${SIZE}`];
  const methods = ["--methods", "mcd-dsl,mcd-dsl-head,dum,gamma-ssl", "--mcd-passes", "2", "--examples", "0"];
  const first = await gssl(...words, ...methods);
  expect(first.stderr).toContain(
    "4 of 4 networks of baselines to train first, 3 steps each: mc-dropout-0.2, distilled, distilled-head, spectral",
  );
  const rows = first.stdout.split("\n").map((line) => line.split("  ")[0]);
  expect(rows.slice(2, 8)).toEqual([
    "mcd-dsl",
    "dum",
    "mcd-dsl-head",
    "gamma-ssl (fresh)",
    "gamma-ssl (run)",
    expect.stringContaining("policy"),
  ]);
  const second = await gssl(...words, ...methods);
  expect(second.stderr).not.toContain("to train first");
  expect(second.stdout).toBe(first.stdout);
  await expect(gssl(...words, ...methods, "--mcd-passes", "3")).rejects.toThrow(
    /distilled holds another network: teacher\.passes: 3 here, 2 there/,
  );
}, 600_000);

test("gssl bench times every row of the paper's table, without any baseline trained", async () => {
  const folder = join(root, "timed");
  await fakeRun(folder, SOURCE);
  const words = ["bench", folder, "--size", "32x64", "--rounds", "2", "--warm-ups", "1", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words]);
  const { timings, height, width } = JSON.parse(stdout) as {
    timings: { name: string; bestMs: number; medianMs: number }[];
  } & Record<string, number>;
  expect([height, width]).toEqual([32, 64]);
  expect(timings.map(({ name }) => name)).toEqual([
    "Vanilla",
    ...["MCD-8 plain", "MCD-8 cached", "Ens-5 LM", "Ens-5 HM", "Ens-10 LM", "Ens-10 HM"],
    "Ours",
  ]);
  for (const { bestMs, medianMs } of timings) expect(medianMs).toBeGreaterThanOrEqual(bestMs);
  expect(JSON.parse(await readFile(join(folder, "bench", "32x64.json"), "utf8"))).toEqual(JSON.parse(stdout));
}, 600_000);

test("B-12: settings are not chosen on images the network learned from", async () => {
  const words = ["evaluate", join(root, "run"), "--on", `scenes:town?split=test&count=3&${SIZE}`, "--methods", "knn"];
  await expect(gssl(...words, "--source-val", SOURCE)).rejects.toThrow(/share images/);
}, 600_000);

test("a method that does not exist is refused with those that do", async () => {
  const words = ["evaluate", join(root, "run"), "--on", `scenes:town?split=test&count=3&${SIZE}`];
  await expect(gssl(...words, "--methods", "vmi")).rejects.toThrow(/no method "vmi".*vim/s);
  await expect(gssl(...words, "--mcd-rates", "0.2,1.5")).rejects.toThrow(/"1.5" in "0.2,1.5"/);
}, 600_000);
