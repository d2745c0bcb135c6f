import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typed } from "../src/cli/terminal/testing/typed.js";
import type { ResultFile } from "../src/evaluation/results/resultFile.js";
import { fakeRun } from "./fakeRun.js";
import { testImage, writeFiles } from "./folders.js";

const SIZE = "height=32&width=64";
let root: string;
const at = (name: string): string => join(root, name);

const margin = `export default ({ sub, max, min, topK }) => ({
  name: "margin", title: "Margin", family: "further", network: "source", kind: "one-pass",
  score({ scores, predicted }) {
    const two = topK(scores, 2, { axis: 1 }).values;
    return { predicted, uncertainty: sub(min(two, [1]), max(two, [1])) };
  },
});`;
/** What it has fitted, and a setting, each turn its score over. */
const turned = `import { SIGN } from "./sign.mjs";
export default ({ sub, max, min, topK, mul, scale, constant }) => ({
  name: "turned", title: "Turned", family: "further", network: "source", kind: "one-pass",
  settings: () => [{ factor: 1 }, { factor: -1 }],
  fit: () => ({
    next: () => null,
    finish: () => ({ tensors: { sign: { dtype: "float32", shape: [], data: Float32Array.of(SIGN) } }, remarks: [] }),
  }),
  score({ scores, predicted }, { sign }, { factor }) {
    const two = topK(scores, 2, { axis: 1 }).values;
    const uncertainty = sub(min(two, [1]), max(two, [1]));
    return { predicted, uncertainty: scale(mul(uncertainty, constant(sign)), factor) };
  },
});`;
const stills = `import { readdir } from "node:fs/promises";
import { join } from "node:path";
export default {
  name: "stills", summary: "every PNG of a folder", options: {},
  async open(path) {
    const names = (await readdir(path)).filter((name) => name.endsWith(".png"));
    const items = names.map((name) => ({ id: name.slice(0, -4), image: join(path, name), labels: null }));
    return { items, labelling: null, problems: [] };
  },
};`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plugin-"));
  await writeFiles(root, {
    "margin.mjs": margin,
    "stills.mjs": stills,
    "drive/a.png": await testImage(64, 32, 1).png().toBuffer(),
    "drive/b.png": await testImage(64, 32, 2).png().toBuffer(),
  });
  await fakeRun(at("run"), `scenes:city?split=train&count=2&${SIZE}`);
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("a method from a user's file is evaluated and exported by its name", async () => {
  const shared = ["--plugin", at("margin.mjs"), "--cache", at("cache")];
  const on = ["--on", `scenes:town?split=test&count=2&${SIZE}`, "--select", "fixed", "--examples", "0"];
  const { out } = await typed("evaluate", at("run"), ...on, "--methods", "margin", ...shared);
  expect(out).toMatch(/^margin +0\.\d{3}/m);
  await typed("export", at("run"), "--method", "margin", ...shared);
  expect(await readdir(at("run"))).toContain("model.margin.onnx");
}, 240_000);

test("a method whose file was edited, or one that it imports, is fitted, chosen and measured anew", async () => {
  await fakeRun(at("edited"), `scenes:city?split=train&count=2&${SIZE}`);
  const words = ["evaluate", at("edited"), "--on", `scenes:town?split=test&count=2&${SIZE}`, "--methods", "turned"];
  const shared = ["--plugin", at("turned.mjs"), "--cache", at("cache"), "--threads", "1", "--examples", "0", "--json"];
  // A process each: one keeps the code that it has loaded.
  const measured = async (sign: number, ...how: string[]): Promise<ResultFile> => {
    await writeFiles(root, { "turned.mjs": turned, "sign.mjs": `export const SIGN = ${sign};` });
    const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words, ...how, ...shared]);
    return (JSON.parse(stdout) as [ResultFile])[0];
  };
  const held = ["--source-val", `scenes:city?split=val&count=3&${SIZE}`];
  const before = await measured(1, ...held);
  expect(await measured(1, ...held)).toEqual(before);
  // Fitted anew, it is turned over; chosen anew, it is turned back.
  const after = await measured(-1, ...held);
  expect(after.chosen!.settings).toEqual({ factor: -Number(before.chosen!.settings.factor) });
  expect([after.auroc, after.aupr]).toEqual([before.auroc, before.aupr]);
  const fixed = [await measured(-1, "--select", "fixed"), await measured(1, "--select", "fixed")];
  expect(fixed[0]!.auroc).not.toBeCloseTo(0.5, 3);
  expect(fixed[0]!.auroc! + fixed[1]!.auroc!).toBeCloseTo(1, 3);
}, 240_000);

test("a reader from a user's file opens data sets by its name", async () => {
  const { out } = await typed("inspect", `stills:${at("drive")}`, "--sheet", "0", "--plugin", at("stills.mjs"));
  expect(out).toMatch(/2 images/);
});

test("a plugin that is missing, broken or incomplete is refused by name, before anything is read", async () => {
  await writeFiles(root, {
    "torn.mjs": "export default {",
    "empty.mjs": "export const x = 1;",
    "no-score.mjs":
      'export default { name: "half", title: "Half", family: "further", network: "source", kind: "one-pass" };',
    "taken.mjs": margin.replace('"margin"', '"vim"'),
    "kind.mjs": margin.replace('"one-pass"', '"draws"').replace('"margin"', '"third"'),
    "folder.mjs": stills.replace('"stills"', '"folder"'),
  });
  for (const [file, why] of [
    ["none.mjs", /none\.mjs cannot be loaded: Cannot find module/],
    ["torn.mjs", /torn\.mjs cannot be loaded: /],
    ["empty.mjs", /empty\.mjs: exports nothing/],
    ["no-score.mjs", /"half" has no score\(\)/],
    ["taken.mjs", /there is a method "vim" already/],
    ["kind.mjs", /"third" has kind "draws", wanted "one-pass"/],
    ["folder.mjs", /there is a reader "folder" already/],
  ] as const) {
    await expect(typed("inspect", "folder:nowhere", "--plugin", at(file)), file).rejects.toThrow(why);
  }
});

test("a reader or a method that answers nonsense is refused with its file, its name and the rule", async () => {
  const returning = (name: string, found: string) =>
    `export default { name: "${name}", summary: "s", options: {}, open: ${found} };`;
  const item = (text: string) => `async () => ({ items: [${text}], labelling: null, problems: [] })`;
  for (const [name, open, rule] of [
    ["gives-nothing", "async () => {}", "open() gives undefined, wanted { items, labelling, problems }"],
    ["throws", "async (path) => path.no.such", "open() failed: Cannot read properties of undefined (reading 'such')"],
    ["no-list", "async () => ({ items: 7, problems: [] })", "items is 7, wanted a list"],
    ["no-image", item('{ id: "a", labels: null }'), "items[0].image is undefined, wanted a text"],
    ["null-item", item("null"), "items[0].id is undefined, wanted a text"],
    ["no-labels", item('{ id: "a", image: "a.png" }'), "items[0].labels is undefined, wanted a path or null"],
    [
      "twice",
      item('{ id: "a", image: "a", labels: null }, { id: "a", image: "b", labels: null }'),
      "items[1].id is a, as that",
    ],
    [
      "no-meaning",
      "async () => ({ items: [], problems: [], labelling: { classes: 3 } })",
      'labelling is {"classes":3}, wanted',
    ],
  ] as const) {
    await writeFiles(root, { [`${name}.mjs`]: returning(name, open) });
    const refused = typed("inspect", `${name}:x`, "--sheet", "0", "--plugin", at(`${name}.mjs`));
    await expect(refused, name).rejects.toThrow(`the plugin ${at(`${name}.mjs`)}: "${name}": ${rule}`);
  }
  for (const [name, scored, rule] of [
    ["scores-nothing", "undefined", "score() gives undefined as predicted, wanted a value made of its ops"],
    ["scores-numbers", "{ predicted, uncertainty: 3 }", "score() gives 3 as uncertainty, wanted a value"],
    ["scores-classes", "{ predicted, uncertainty: scores }", "wanted float32[1, 32, 64]: a number for each pixel"],
    ["throws-too", "scores.no.such", "score() failed: Cannot read properties of undefined (reading 'such')"],
  ] as const) {
    const text = `export default { name: "${name}", title: "T", family: "further", network: "source", kind: "one-pass",
      score: ({ scores, predicted }) => (${scored}) };`;
    await writeFiles(root, { [`${name}.mjs`]: text });
    const words = ["--on", `scenes:town?split=test&count=1&${SIZE}`, "--select", "fixed", "--methods", name];
    const refused = typed("evaluate", at("run"), ...words, "--plugin", at(`${name}.mjs`), "--cache", at("cache"));
    await expect(refused, name).rejects.toThrow(`the plugin ${at(`${name}.mjs`)}: "${name}": `);
    await expect(refused, name).rejects.toThrow(rule);
  }
}, 240_000);
