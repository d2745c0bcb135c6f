import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { evenlySpread } from "../../data/datasets/evenlySpread.js";
import { random } from "../../engine/tensor/random.js";
import { PixelCounter } from "../pixelCounter.js";
import type { Example } from "./examples.js";
import { findResults } from "./findResults.js";
import { openResults } from "./openResults.js";
import { parseResult } from "./resultFile.js";
import type { Evaluation } from "./resultOf.js";
import { writeResult } from "./writeResult.js";

let run: string;
beforeEach(async () => {
  run = await mkdtemp(join(tmpdir(), "gssl-results-"));
});
afterEach(() => rm(run, { recursive: true }));

/** Two classes; every third pixel is wrong and a little less certain. */
function image(id: string, seed: number): Example {
  const [width, height] = [8, 4];
  const labels = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 255 : i === 1 ? 254 : (i + seed) % 2));
  const predicted = labels.map((label, i) => (i % 3 === 0 ? 1 - label : label));
  const uncertainty = Float32Array.from({ length: 32 }, (_, i) => ((i * 7 + seed) % 32) / 64 + (i % 3 === 0 ? 0.4 : 0));
  return { id, width, height, rgb: new Uint8Array(96).fill(100), labels, predicted, uncertainty };
}

const images = ["=first", "b/second", "b-second"].map(image);

function evaluated(): Evaluation {
  const counter = new PixelCounter({ classes: 2, policy: "paper" });
  for (const one of images) counter.add(one);
  return {
    ...counter.finish(),
    dataset: "folder:/x?split=test",
    method: "γ SSL",
    classes: [
      { name: "road", colour: [128, 64, 128] },
      { name: "sky", colour: [70, 130, 180] },
    ],
    policy: "paper",
    gamma: { gamma: -0.5, threshold: 0.5 },
    intervals: { seed: 1, replicates: 20 },
    command: "gssl evaluate",
    seeds: { training: 7 },
    environment: { node: "v20" },
  };
}

test("a result and everything beside it come back as they were written", async () => {
  const { path, result } = await writeResult(run, evaluated(), images);
  expect(path).toBe(join(run, "results/folder-x-split-test/γ-SSL.json"));
  const [opened] = await openResults(run, () => {});
  expect(opened!.result).toEqual(result);
  expect(opened!.set.total.rights + opened!.set.total.wrongs).toBe(result.pixels);
  expect(opened!.examples.map(({ id }) => id)).toEqual(["=first", "b/second", "b-second"]);
  expect(opened!.examples[1]!.predicted).toEqual(images[1]!.predicted);
  expect(result.pixels).toBe(3 * 31);
  expect(result.segmentation!.perClass.map(({ name }) => name)).toEqual(["road", "sky"]);
  expect(result.atGamma).toMatchObject({ gamma: -0.5, threshold: 0.5 });
  expect(result.levels).toContain(0.5);
  expect(result.reasons).toMatchObject({ ece: "the method gives no probability" });
});

test("the files lie where they are promised, and none is left half-written", async () => {
  await writeResult(run, evaluated(), images);
  const names = await readdir(join(run, "results"), { recursive: true });
  expect(names.sort()).toEqual([
    "folder-x-split-test",
    "folder-x-split-test/γ-SSL.csv",
    "folder-x-split-test/γ-SSL.examples",
    ...["b-second-2", "b-second", "first"].flatMap((id) =>
      ["image.jpg", "labels.png", "predicted.png", "uncertainty.png"].map(
        (kind) => `folder-x-split-test/γ-SSL.examples/${id}.${kind}`,
      ),
    ),
    "folder-x-split-test/γ-SSL.json",
    "folder-x-split-test/γ-SSL.sketch",
  ]);
  const table = await readFile(join(run, "results/folder-x-split-test/γ-SSL.csv"), "utf8");
  expect(table.split("\n")[1]).toMatch(/^"'=first",31,0\.\d+,/);
});

test("the same evaluation is the same bytes", async () => {
  const { path } = await writeResult(run, evaluated(), images);
  const first = await readFile(path);
  await writeResult(run, evaluated(), images);
  expect(await readFile(path)).toEqual(first);
});

test("broken files are refused by name", async () => {
  const { path } = await writeResult(run, evaluated(), images);
  const text = await readFile(path, "utf8");
  const unsealed = text.replace(/ "seal": "\w+",\n/, "");
  const stem = path.replace(".json", "");
  const breakages: [string, string | Uint8Array, string][] = [
    [path, text.slice(0, 100), "is damaged"],
    [path, unsealed.slice(0, 100), "is not JSON"],
    [path, unsealed.replace('"auroc":', '"aurok":'), "auroc"],
    [path, unsealed.replace(/"pixels": 93/, '"pixels": 94'), "has 93 pixels, but"],
    [path, unsealed.replace('"first"', '"../../first"'), "examples.0.file"],
    [path, unsealed.replace(/"files": \{\s*"/, '"files": {"../'), "files"],
    [`${stem}.sketch`, "gsketch", "is damaged"],
    [`${stem}.examples/b-second.labels.png`, "png?", "b-second.labels.png"],
  ];
  for (const [file, content, message] of breakages) {
    const before = await readFile(file);
    await writeFile(file, content);
    await expect(openResults(run, () => {})).rejects.toThrow(message);
    await expect(openResults(run, () => {})).rejects.toThrow(stem);
    await writeFile(file, before);
  }
  await rm(`${stem}.sketch`);
  await expect(openResults(run, () => {})).rejects.toThrow(`${stem}.sketch is missing`);
});

test("F1: a changed bit anywhere in a result, its sketch, its table or its examples is found, and the result is measured again", async () => {
  const { path } = await writeResult(run, evaluated(), images);
  const folder = path.slice(0, path.lastIndexOf("/"));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files).toHaveLength(3 + 3 * 4);
  for (const [k, { parentPath, name }] of files.entries()) {
    const file = join(parentPath, name);
    const bytes = await readFile(file);
    for (let trial = 0; trial < 12; trial++) {
      const draw = random("damage", k, trial);
      const hit = Buffer.from(bytes);
      const at = draw.below(bytes.length - 1); // not the last line break of a text, which means nothing
      hit[at] = hit[at]! ^ (1 << draw.below(8));
      await writeFile(file, trial === 0 ? bytes.subarray(0, at) : hit);
      await expect(
        openResults(run, () => {}),
        `${file}, byte ${at}`,
      ).rejects.toThrow(folder);
    }
    await writeFile(file, bytes);
  }
  expect(await openResults(run, () => {})).toHaveLength(1);
});

test("F7: an example that claims to be a large image is refused by its header", async () => {
  const { path } = await writeResult(run, evaluated(), images);
  const result = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  for (const key of ["seal", "files"]) delete result[key];
  await writeFile(path, JSON.stringify(result));
  const bomb = join(path.replace(".json", ".examples"), "b-second.labels.png");
  const bytes = await readFile(bomb);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 8_000);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(20, 8_000);
  await writeFile(bomb, bytes);
  await expect(openResults(run, () => {})).rejects.toThrow("b-second.labels.png: is 8000 x 8000, the result file says");
});

test("a folder without results says what was wanted", async () => {
  await expect(openResults(run, () => {})).rejects.toThrow("no results in it");
  expect(await findResults(run, () => {})).toEqual([]);
  // F5: as an interrupted first evaluation leaves it.
  await mkdir(join(run, "results", "town"), { recursive: true });
  expect(await findResults(run, () => {})).toEqual([]);
  await expect(findResults(join(run, "nowhere"), () => {})).rejects.toThrow("there is no run folder");
});

test("two data sets or methods that would share a file are kept apart", async () => {
  await writeResult(run, evaluated());
  await expect(writeResult(run, { ...evaluated(), dataset: "folder:x?split=test" })).rejects.toThrow("already holds");
  await expect(writeResult(run, { ...evaluated(), method: "γ/SSL" })).rejects.toThrow('not "γ/SSL"');
});

test("a data set whose name ends in .json has a folder that does not look like a file", async () => {
  const { path } = await writeResult(run, { ...evaluated(), dataset: "manifest:lists/town.json" });
  expect(path).toContain(join("results", "manifest-lists-town-json"));
  expect(await openResults(run, () => {})).toHaveLength(1);
});

test("labels of one value give no number, only the reason", async () => {
  const counter = new PixelCounter({ classes: 2, policy: "official" });
  for (const one of images) counter.add({ ...one, labels: new Uint8Array(32).fill(255) });
  const { result } = await writeResult(run, { ...evaluated(), ...counter.finish() });
  expect(result).toMatchObject({ accuracy: null, auroc: null, maxAmd: null, atGamma: null, pixels: 96 });
  expect(result.reasons.auroc).toBe("every label is void: one class only, or hidden ground truth");
  expect(parseResult(Buffer.from(JSON.stringify(result)), "x.json")).toEqual(result);
});

test("examples are spread over all images", () => {
  expect(evenlySpread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 8]);
  expect(evenlySpread([0, 1], 5)).toEqual([0, 1]);
});
