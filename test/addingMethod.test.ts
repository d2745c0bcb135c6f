import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { margin } from "../examples/margin.js";
import { methodHelp } from "../src/cli/terminal/methodHelp.js";
import type { Dataset } from "../src/data/datasets/dataset.js";
import { openDataset } from "../src/data/open/openDataset.js";
import { exportableMethod, exportableMethods } from "../src/deployment/export/exportable.js";
import { BASELINE_TOLERANCE, exportBaseline, openBaseline } from "../src/deployment/export/exportBaseline.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { askedMethods } from "../src/evaluation/askedMethods.js";
import { evaluateRun } from "../src/evaluation/evaluateRun.js";
import { NetworkNames } from "../src/evaluation/networkNames.js";
import { prepareContext } from "../src/evaluation/prepare/context.js";
import { openResults } from "../src/evaluation/results/openResults.js";
import { usualBaselines } from "../src/methods/parts/baselineOptions.js";
import type { Method, OnePassMethod } from "../src/methods/parts/method.js";
import { methods } from "../src/methods/registry.js";
import { resultTables } from "../src/report/resultTable.js";
import { tablePlaces } from "../src/report/tablePlaces.js";
import { openRun, type TrainedRun } from "../src/runs/openRun.js";
import { expectCounted } from "./expectCounted.js";
import { fakeRun } from "./fakeRun.js";

/** The registry with one line more. */
const extended: readonly Method[] = [...methods, margin];
const namesOf = (list: readonly Method[]): string[] => list.map(({ name }) => name);

const SIZE = "height=32&width=64";
const SOURCE = `scenes:city?split=train&count=2&${SIZE}`;
const runtime = nodeRuntime({ threads: 1 });
let root: string;
let run: TrainedRun;
let source: Dataset;
let town: Dataset;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "adding-method-"));
  const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: join(root, "cache") });
  source = await open(SOURCE);
  town = await open(`scenes:town?split=test&count=2&${SIZE}`);
  await fakeRun(join(root, "run"), SOURCE);
  run = await openRun(join(root, "run"));
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("evaluate knows a new record: by default if it is quick, in all, by name, and in hints", () => {
  const asked = (words?: string): string[] => namesOf(askedMethods([run.config], words, extended));
  expect(asked()).toContain("margin");
  expect(asked("all")).toContain("margin");
  expect(asked("margin,vim")).toEqual(["vim", "margin"]);
  expect(() => askedMethods([run.config], "marign", extended)).toThrow(
    expect.objectContaining({
      hint: expect.stringMatching(/^did you mean "margin"\? known: all, .*, margin; NAME@adapted is /),
    }),
  );
  expect(() => askedMethods([run.config], "margin")).toThrow('there is no method "margin"');
});

test("export offers it, and names it among what can be exported", () => {
  expect(namesOf(exportableMethods(extended))).toContain("margin");
  expect(exportableMethod("margin", extended)).toBe(margin);
  expect(() => exportableMethod("odin", extended)).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^exportable: .*margin/) }),
  );
});

test("--help of both commands lists it", () => {
  expect(methodHelp(extended)).toMatch(/^ {2}margin +Margin \(by default\)$/m);
  expect(methodHelp(exportableMethods(extended), () => "")).toMatch(/^ {2}margin +Margin$/m);
});

test("gssl evaluate --help and gssl help export list the methods; gssl --help does not load them", async () => {
  const gssl = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words])).stdout;
  expect(await gssl("evaluate", "--help")).toMatch(/^ {2}ensemble-mi-10 +Ens-MI_10$/m);
  const exported = await gssl("help", "export");
  expect(exported).toMatch(/^ {2}vim +ViM$/m);
  expect(exported).not.toContain("ensemble-mi-10");
  expect(await gssl("--help")).not.toContain("Ens-MI_10");
});

test("tables have it among further baselines, or in the family that its record names", async () => {
  const [result] = await evaluateRun({
    runtime,
    run,
    source,
    validation: null,
    datasets: [town],
    methods: [margin],
    select: "fixed",
    baselines: usualBaselines,
    policy: "paper",
    examples: 2,
    overwrite: false,
    command: "gssl evaluate",
  });
  expect(result).toMatchObject({
    method: "margin",
    network: { file: "stages/1-pretraining.safetensors" },
    chosen: null,
  });
  const [opened] = await openResults(run.folder, () => {});
  expect(opened!.result).toEqual(result);
  expectCounted(result!, opened!.examples);
  expect(await readdir(join(run.folder, "results"), { recursive: true })).toContainEqual(
    expect.stringMatching(/margin\.json$/),
  );
  const rows = (record: OnePassMethod): string[] => {
    const entries = ["gamma-ssl", "margin", "dum", "vim"].map((method) => ({
      run: "",
      result: { ...result!, method },
    }));
    const [table] = resultTables(entries, tablePlaces([...methods, record]));
    return table!.rows.map(({ label }) => label);
  };
  expect(rows(margin)).toEqual(["vim", "dum", "mean representation", "margin", "gamma-ssl"]);
  expect(rows({ ...margin, family: "representation" })).toEqual([
    ...["vim", "dum", "margin", "mean representation", "gamma-ssl"],
  ]);
});

test("its exported model gives what evaluation computes", async () => {
  const given = { runtime, run, source, validation: null, baselines: usualBaselines, overwrite: false };
  const how = { by: "fixed", on: null, policy: "paper" } as const;
  const context = prepareContext(given, how, new NetworkNames(run, usualBaselines));
  const { info, parity } = await exportBaseline({ runtime, device: null }, await openBaseline(context, margin), source);
  expect(info).toMatchObject({ method: "margin", settings: {} });
  expect(parity.uncertainty).toBeLessThanOrEqual(BASELINE_TOLERANCE);
});
