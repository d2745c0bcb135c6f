import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { plotFile } from "./plotSvg.js";
import { readTrainingLog, trainingPlots } from "./trainingLog.js";

let run: string;
beforeEach(async () => {
  run = await mkdtemp(join(tmpdir(), "gssl-log-"));
});
afterEach(() => rm(run, { recursive: true }));
const write = (text: string) => writeFile(join(run, "log.jsonl"), text);

test("numbers are gathered by name; words and lines without a step are passed over", async () => {
  await write('{"event":"start"}\n{"step":1,"loss":2,"note":"x"}\n{"step":2,"loss":1,"gamma":0.5}\n');
  const log = await readTrainingLog(run);
  expect([...log!]).toEqual([
    [
      "loss",
      [
        { x: 1, y: 2 },
        { x: 2, y: 1 },
      ],
    ],
    ["gamma", [{ x: 2, y: 0.5 }]],
  ]);
});

test("a resumed run counts the last time, a torn last line is no error, a broken one before is", async () => {
  await write('{"step":1,"loss":2}\n{"step":2,"loss":9}\n{"step":2,"loss":1}\n{"step":3,"lo');
  expect((await readTrainingLog(run))!.get("loss")).toEqual([
    { x: 1, y: 2 },
    { x: 2, y: 1 },
  ]);
  await write('{"step":1,"loss":2}\nbroken\n{"step":2,"loss":9}\n');
  await expect(readTrainingLog(run)).rejects.toThrow("log.jsonl, line 2: is not JSON");
});

test("no log is no error", async () => {
  expect(await readTrainingLog(run)).toBeNull();
});

test("long logs are thinned to what can be seen, ends and extremes kept", () => {
  const points = Array.from({ length: 5000 }, (_, k) => ({ x: k, y: k === 2500 ? 100 : Math.sin(k) }));
  const [plot] = trainingPlots([{ run: "a", log: new Map([["loss", points]]) }]);
  const [series] = plot!.series;
  expect(series!.points.length).toBeLessThanOrEqual(400);
  expect(series!.points).toContainEqual({ x: 2500, y: 100 });
  expect(series!.points.at(-1)!.x).toBe(4999);
});

test("validations of prototypes and head are two curves of one plot, before everything else", () => {
  const points = [
    { x: 1, y: 0.5 },
    { x: 2, y: 0.6 },
  ];
  const names = ["loss.consistency", "validation.prototypes.auroc", "validation.head.auroc"];
  const plots = trainingPlots([{ run: "a", log: new Map(names.map((name) => [name, points])) }]);
  expect(plots.map(({ title }) => title)).toEqual(["Validation: AUROC", "Consistency loss L_c"]);
  expect(plots[0]!.series.map(({ label }) => label)).toEqual(["a, prototypes", "a, head"]);
});

test("certain and consistent pixels share a plot; a run has one colour in all plots", () => {
  const points = [
    { x: 1, y: 0.5 },
    { x: 2, y: 0.6 },
  ];
  const log = new Map(["consistent", "certain", "loss", "agreement.f1"].map((name) => [name, points]));
  const plots = trainingPlots(["a", "b"].map((run) => ({ run, log })));
  expect(plots.map(({ title }) => title)).toEqual([
    ...["Total loss", "Certain and consistent pixels", "Certain as consistent"],
  ]);
  expect(plots[1]!.meaning).toContain("Solid: consistent; dotted: certain.");
  expect(plots.map(({ series }) => series.map(({ look }) => look!.colour))).toEqual([
    [0, 1],
    [0, 0, 1, 1],
    [0, 1],
  ]);
});

test("every stage but the first is marked where it begins, and names in the log become words", () => {
  const points = [
    { x: 1, y: 0.5 },
    { x: 6, y: 0.6 },
  ];
  const stages = [
    { name: "pretraining", steps: 4 },
    { name: "warm-up", steps: 1 },
    { name: "adaptation", steps: 3 },
  ];
  const log = new Map(["memory.freeBytes", "gamma", "loss", "loss.prototypeSupervision"].map((name) => [name, points]));
  const plots = trainingPlots([{ run: "a", log, stages }]);
  expect(plots.map(({ title }) => title)).toEqual([
    ...["Total loss", "Prototype supervision loss", "Threshold γ", "Memory: free bytes"],
  ]);
  const marks = [
    { x: 4, label: "warm-up" },
    { x: 5, label: "adaptation" },
  ];
  expect(plots[0]!.marks).toEqual(marks);
  expect(plotFile(plots[0]!)).toContain(">adaptation</text>");
  const other = { run: "b", log, stages: stages.slice(1) };
  expect(trainingPlots([{ run: "a", log, stages }, other])[0]!.marks).toEqual([]);
});
