import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { classesOf } from "../src/data/datasets/classesOf.js";
import type { Dataset } from "../src/data/datasets/dataset.js";
import { evenlySpread } from "../src/data/datasets/evenlySpread.js";
import { readScaled } from "../src/data/loader/readScaled.js";
import { random } from "../src/engine/tensor/random.js";
import { readSafetensors } from "../src/engine/tensor/safetensors.js";
import { exportModel, openDataset, predict, Segmenter, solveThreshold } from "../src/index.js";
import { writeTinyRun } from "./tinyRun.js";

/** Images of drawn streets, with a trained network: the model sees what it was trained for. */
const [HEIGHT, WIDTH] = [64, 128];
const drawn = (place: string, count: number): string =>
  `scenes:${place}&count=${count}&height=${HEIGHT}&width=${WIDTH}`;
const SOURCE = drawn("city?split=train", 80);
const DUSK = drawn("dusk?split=train", 40);

let root: string;
/** Adapted to dusk, and not. */
let model: string;
let ofCityAlone: string;

const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache: join(root, "cache") });

async function exported(name: string, target: string): Promise<string> {
  const { tensors: weights } = readSafetensors(await readFile("assets/city.safetensors"), "city.safetensors");
  const trained = { network: { width: 0.5, features: 96 }, weights };
  const run = { source: SOURCE, targets: [target], classes: 19, score: "softmax", height: HEIGHT, trained } as const;
  await writeTinyRun(join(root, name), run);
  await exportModel(join(root, name), { cache: join(root, "cache"), threads: 1 });
  return join(root, name, "model.onnx");
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "domain-"));
  model = await exported("city-dusk", DUSK);
  ofCityAlone = await exported("city", SOURCE);
});
afterAll(() => rm(root, { recursive: true, force: true }));

let folders = 0;

/** How many images of some files `gssl predict` flags. */
async function flagged(files: readonly string[], by = model): Promise<number> {
  const from = join(root, `images${++folders}`);
  await mkdir(from);
  for (const [i, file] of files.entries()) await copyFile(file, join(from, `${i}-${basename(file)}`));
  const { images } = await predict(by, [from], { to: join(root, `seen${folders}`), threads: 1 });
  expect(images).toHaveLength(files.length);
  return images.filter(({ outOfDomain }) => outOfDomain).length;
}

const filesOf = async (spec: string): Promise<string[]> => (await open(spec)).items.map(({ image }) => image);

/** Images of one kind, as files. */
async function made(name: string, images: readonly Sharp[]): Promise<string[]> {
  const files = images.map((_, i) => join(root, `${name}${i}.png`));
  for (const [i, image] of images.entries()) await image.png().toFile(files[i]!);
  return files;
}

const painted = (level: (byte: number) => number): Sharp =>
  sharp(
    Uint8Array.from({ length: 3 * HEIGHT * WIDTH }, (_, i) => level(i)),
    { raw: { width: WIDTH, height: HEIGHT, channels: 3 } },
  );

test("images of the source and of the place the model was adapted to are not flagged, but for one in twenty", async () => {
  expect(await flagged(await filesOf(drawn("city?split=val", 40)))).toBeLessThanOrEqual(2);
  expect(await flagged(await filesOf(drawn("dusk?split=test", 40)))).toBeLessThanOrEqual(2);
});

test("most of dusk is flagged by a model that never saw it, and next to nothing once γ was solved for it", async () => {
  const dusk = await filesOf(drawn("dusk?split=test", 20));
  expect(await flagged(dusk, ofCityAlone)).toBeGreaterThan(10);
  const { file } = await solveThreshold(join(root, "city"), { target: DUSK, cache: join(root, "cache"), threads: 1 });
  const to = join(root, "city", "dusk.onnx");
  await exportModel(join(root, "city"), { gamma: file, to, cache: join(root, "cache"), threads: 1 });
  expect(await flagged(dusk, to)).toBeLessThanOrEqual(2);
});

test("noise, black, white, single colours and blurred streets are flagged", async () => {
  const { below } = random("noise");
  const plain = [
    [0, 0, 0],
    [255, 255, 255],
    [90, 140, 40],
    [128, 128, 128],
  ];
  const streets = (await filesOf(drawn("city?split=val", 4))).map((file) => sharp(file).blur(HEIGHT / 16));
  const strange = [painted(() => below(256)), ...plain.map((colour) => painted((i) => colour[i % 3]!)), ...streets];
  expect(await flagged(await made("strange", strange))).toBe(strange.length);
});

test("label maps are flagged: in the colours of their classes, in black and white, as class ids", async () => {
  const labelled = await open(drawn("city?split=val", 4));
  const colours = labelled.labelling!.classes.classes.map(({ colour }) => colour);
  const maps: Sharp[] = [];
  for (const item of labelled.items) {
    const { labels } = await readScaled(labelled, item, HEIGHT);
    const at = (i: number): number => labels![Math.floor(i / 3)]!;
    maps.push(painted((i) => colours[at(i)]?.[i % 3] ?? 0));
    maps.push(painted((i) => (at(i) < classesOf(labelled).length / 2 ? 255 : 0)));
    maps.push(painted(at));
  }
  expect(await flagged(await made("labels", maps))).toBe(maps.length);
});

test("Segmenter says how far an image is, and a model of fewer bits says nearly the same", async () => {
  const variants = { cache: join(root, "cache"), threads: 1, fp16: true, int8: true };
  const { files } = await exportModel(join(root, "city-dusk"), { ...variants, to: join(root, "all.onnx") });
  const [street, blurred] = [
    (await filesOf(drawn("city?split=val", 1)))[0]!,
    ...(await made("blurred", [sharp((await filesOf(drawn("city?split=val", 1)))[0]!).blur(8)])),
  ] as [string, string];
  for (const { path } of files) {
    const segmenter = await Segmenter.open(path, { threads: 1 });
    const [near, far] = [await segmenter.segment(street), await segmenter.segment(blurred)];
    await segmenter.close();
    expect([near.outOfDomain, far.outOfDomain], path).toEqual([false, true]);
    expect([near.distance! < 1, far.distance! > 1]).toEqual([true, true]);
    expect(segmenter.description.distanceFrom!.map(({ images }) => images)).toEqual([80, 40]);
  }
});

const real = "../shared/data";
test.skipIf(!existsSync(real))("photographs are flagged (needs ../shared/data)", async () => {
  const specs = [`camvid:${real}/camvid`, `kitti:${real}/kitti?split=training`, `comma10k:${real}/comma10k`];
  const photographs = (await Promise.all(specs.map(filesOf))).flatMap((files) => evenlySpread(files, 5));
  expect(await flagged(photographs)).toBe(photographs.length);
});
