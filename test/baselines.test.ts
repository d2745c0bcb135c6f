import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../src/data/datasets/dataset.js";
import { openDataset } from "../src/data/open/openDataset.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { askedMethods } from "../src/evaluation/askedMethods.js";
import { baselineRuns } from "../src/evaluation/baselineRuns.js";
import { evaluateRun, type RunEvaluation } from "../src/evaluation/evaluateRun.js";
import { openResults } from "../src/evaluation/results/openResults.js";
import { usualBaselines } from "../src/methods/parts/baselineOptions.js";
import { methodNamed } from "../src/methods/registry.js";
import { openRun, type TrainedRun } from "../src/runs/openRun.js";
import { scorerPath } from "../src/runs/scorerFile.js";
import { expectCounted } from "./expectCounted.js";
import { fakeBaseline, fakeRun } from "./fakeRun.js";
import { idMap, writeFiles } from "./folders.js";

const named = (...names: string[]) => names.map((name) => methodNamed(name));
const SIZE = "height=32&width=64";
const SOURCE = `scenes:city?split=train&count=6&${SIZE}`;
let root: string;
let run: TrainedRun;
let data: Record<"source" | "validation" | "town" | "forest", Dataset>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "baselines-"));
  const open = (spec: string) => openDataset(spec, { cache: join(root, "cache") });
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

const evaluation = (changes: Partial<RunEvaluation> = {}): RunEvaluation => ({
  runtime: nodeRuntime({ threads: 1 }),
  run,
  source: data.source,
  validation: data.validation,
  datasets: [data.town],
  methods: askedMethods([run.config], "all"),
  select: "source-val",
  baselines: usualBaselines,
  policy: "paper",
  examples: 3,
  overwrite: false,
  command: "gssl evaluate",
  ...changes,
});

test("every method is measured on every data set, with the weights and settings it had", async () => {
  const results = await evaluateRun(evaluation({ datasets: [data.town, data.forest] }));
  expect(results.map(({ method }) => method)).toEqual(
    [...evaluation().methods, ...evaluation().methods].map(({ name }) => name),
  );
  // Counted once more, from the images that were kept for the report.
  for (const { result, examples } of await openResults(run.folder, () => {})) {
    expect(examples).toHaveLength(3);
    expect(result.pixels).toBe(3 * 32 * 64);
    expectCounted(result, examples);
    const { low, high } = result.intervals!.accuracy!;
    expect(low < result.accuracy! && result.accuracy! < high, result.method).toBe(true);
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
  // ECE and Brier score of those whose uncertainty is a probability: γ-SSL of this run scores by a softmax.
  const calibrated = results.slice(0, results.length / 2).filter(({ ece, brier }) => ece !== null && brier !== null);
  expect(calibrated.map(({ method }) => method).sort()).toEqual([
    ...["gamma-ssl", "max-softmax", "no-ssl", "temperature-scaling"],
  ]);
  expect(of("mahalanobis").remarks.join()).toContain("left out");
}, 600_000);

test("finished results are kept, and scorers too; overwriting measures again; a new data set needs no new fit", async () => {
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
  const none = nodeRuntime({ threads: 1 });
  none.load = () => Promise.reject(new Error("nothing is to be computed"));
  await evaluateRun(evaluation({ runtime: none, datasets: [data.town, data.forest] }));
  expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
  const [again] = await evaluateRun(evaluation({ datasets: [data.forest], methods: named("vim"), overwrite: true }));
  expect((await stat(path)).mtimeMs).toBeGreaterThan(before.mtimeMs);
  expect((await stat(join(scorers, "vim.safetensors"))).mtimeMs).toBeGreaterThan(fitted.mtimeMs);
  const { seal, ...written } = JSON.parse(await readFile(path, "utf8"));
  expect(written).toEqual(again);
  expect(seal).toMatch(/^[0-9a-f]{64}$/);
}, 600_000);

test("results, scorers and choices are not kept when images or labels change under the same spec", async () => {
  const place = join(root, "own");
  const write = async (from: Dataset, to: string, count: number) => {
    for (const { id, image, labels } of from.items.slice(0, count)) {
      const name = `${id.replaceAll("/", "-")}.png`;
      const files = { [`img/${name}`]: await readFile(image), [`gt/${name}`]: await readFile(labels!) };
      await writeFiles(join(place, to), files);
    }
  };
  const spec = (name: string) => `folder:${place}/${name}?images=img&labels=gt&classes=scenes-ids`;
  for (const name of ["source", "validation", "town"] as const) await write(data[name], name, 3);
  await fakeRun(join(root, "changing"), spec("source"));
  const measured = async (methods: string[]) => {
    const [source, validation, town] = await Promise.all(
      ["source", "validation", "town"].map((name) => openDataset(spec(name))),
    );
    const loaded: number[] = [];
    const runtime = nodeRuntime({ threads: 1 });
    const { load } = runtime;
    runtime.load = (model, signature) => load(model, signature).finally(() => loaded.push(model.length));
    const given = { runtime, run: await openRun(join(root, "changing")), source: source!, validation: validation! };
    const results = await evaluateRun(evaluation({ ...given, datasets: [town!], methods: named(...methods) }));
    return { results, loads: loaded.length };
  };
  const methods = ["entropy", "max-softmax", "vim"];
  const { results: before } = await measured(methods);
  expect(await measured(methods)).toEqual({ results: before, loads: 0 });
  // Another label map, of the same length: every result is another.
  const [label] = (await readdir(join(place, "town", "gt"))).map((name) => join("town", "gt", name));
  await writeFiles(place, { [label!]: idMap(64, 32, 0) });
  const { results: relabelled } = await measured(methods);
  for (const [i, { accuracy, data: key }] of relabelled.entries()) {
    expect(accuracy).not.toBe(before[i]!.accuracy);
    expect(key).not.toBe(before[i]!.data);
  }
  // More source images: what is fitted on them is fitted again, the rest is kept.
  await write(data.source, "source", 6);
  const { results: refitted } = await measured(methods);
  expect(refitted.slice(0, 2)).toEqual(relabelled.slice(0, 2));
  expect(refitted[2]!.auroc).not.toBe(relabelled[2]!.auroc);
  // Other held-out images: settings are chosen again.
  await write(data.validation, "validation", 4);
  const { results: rechosen } = await measured(methods);
  expect(rechosen.map(({ data: key }, i) => key === refitted[i]!.data)).toEqual([true, false, true]);
}, 600_000);

test("results are kept for the same candidates and enough examples alone, and choices for the same candidates", async () => {
  await fakeRun(join(root, "asked"), SOURCE);
  const asked = await openRun(join(root, "asked"));
  for (const { name, config } of baselineRuns(asked.config, named("mc-dropout-pe"), usualBaselines))
    await fakeBaseline(asked.folder, name, config, 11);
  const measured = async (passes: number[], examples: number) => {
    const loaded: number[] = [];
    const runtime = nodeRuntime({ threads: 1 });
    const { load } = runtime;
    runtime.load = (model, signature) => load(model, signature).finally(() => loaded.push(model.length));
    const changes = { runtime, run: asked, methods: named("mc-dropout-pe", "entropy"), examples };
    const [draws, entropy] = await evaluateRun(evaluation({ ...changes, baselines: { ...usualBaselines, passes } }));
    return { draws: draws!, entropy: entropy!, computed: loaded.length > 0 };
  };
  const first = await measured([2, 4], 0);
  expect(await measured([2, 4], 0)).toEqual({ ...first, computed: false });
  // 4 draws are among the new candidates, too, but were not compared with 16.
  const second = await measured([4, 16], 0);
  expect(second.computed).toBe(true);
  expect(second.draws.chosen).toMatchObject({ among: 2 });
  expect(second.draws.key).not.toBe(first.draws.key);
  const chosen = JSON.parse(await readFile(join(asked.folder, "scorers", "chosen.json"), "utf8")) as object;
  expect(Object.keys(chosen).filter((key) => key.startsWith("mc-dropout-pe "))).toHaveLength(2);
  // What has no part in it is kept, and what is only shown is made when it is asked for.
  expect(second.entropy).toEqual(first.entropy);
  const third = await measured([4, 16], 3);
  expect([third.draws, third.entropy].map(({ examples }) => examples.length)).toEqual([3, 3]);
  expect(await measured([4, 16], 1)).toEqual({ ...third, computed: false });
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
    (await evaluateRun(evaluation({ methods, overwrite: true, baselines: { ...usualBaselines, memory } }))).map(
      ({ accuracy, auroc, aupr }) => ({ accuracy, auroc, aupr }),
    );
  expect(await measured("low")).toEqual(await measured("high"));
}, 600_000);

test("B-2: averaging logits is another method of averaging, and its result says so", async () => {
  const baselines = { ...usualBaselines, average: "logits" as const };
  const measured = async (options: Partial<RunEvaluation>) =>
    (await evaluateRun(evaluation({ methods: named("mc-dropout-pe"), ...options })))[0]!.chosen!.settings;
  expect(await measured({ baselines })).toEqual({ rate: 0.2, draws: 8, average: "logits" });
  expect(await measured({})).toEqual({ rate: 0.2, draws: 8, average: "probabilities" });
}, 600_000);

test("other classes and a method without what it needs are refused by name; for other weights, statistics are fitted again", async () => {
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
  await expect(evaluateRun(evaluation({ datasets: [renamed] }))).rejects.toThrow("it has moat");
  await expect(
    evaluateRun(evaluation({ validation: null, methods: named("temperature-scaling"), overwrite: true })),
  ).rejects.toThrow("temperature-scaling needs held-out labelled images");
  const moved = join(root, "moved");
  await fakeRun(moved, SOURCE, 5);
  const other = await openRun(moved);
  await evaluateRun(evaluation({ run: other, methods: named("vim") }));
  const before = await readFile(scorerPath(moved, "vim"));
  await fakeRun(moved, SOURCE, 6);
  expect(await evaluateRun(evaluation({ run: await openRun(moved), methods: named("vim") }))).toHaveLength(1);
  expect((await readFile(scorerPath(moved, "vim"))).equals(before)).toBe(false);
}, 600_000);

test("B-1: with several numbers of draws, the best on held-out images is chosen", async () => {
  const baselines = { ...usualBaselines, passes: [2, 4] };
  const [mi] = await evaluateRun(evaluation({ methods: named("mc-dropout-mi"), overwrite: true, baselines }));
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
  await expect(gssl(...words, "--source-val", SOURCE)).rejects.toThrow("which settings are to be chosen on");
  // Nor is it measured on them, before any network of a baseline is trained.
  const seen = ["evaluate", join(root, "run"), "--on", SOURCE, "--methods", "entropy", "--examples", "0"];
  await expect(gssl(...seen)).rejects.toThrow(/training has seen images of scenes:city/);
  const { stdout } = await gssl(...seen, "--allow-seen");
  expect(stdout).toContain("entropy");
}, 600_000);

test("a method that does not exist is refused with those that do", async () => {
  const words = ["evaluate", join(root, "run"), "--on", `scenes:town?split=test&count=3&${SIZE}`];
  await expect(gssl(...words, "--methods", "vmi")).rejects.toThrow(/no method "vmi".*vim/s);
  await expect(gssl(...words, "--mcd-rates", "0.2,1.5")).rejects.toThrow(
    /--mcd-rates is \\?"1.5\\?", wanted numbers between 0 and 1/,
  );
}, 600_000);
