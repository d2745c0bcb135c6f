import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSafetensors } from "../src/engine/tensor/safetensors.js";
import { exportModel, openDataset, Segmenter } from "../src/index.js";
import { withoutChromium } from "./inChromium.js";
import { blocksOf, cppIs, inBrowser, inCpp, inNode, inPython, pythonIs } from "./snippets/snippets.js";
import { writeTinyRun } from "./tinyRun.js";

const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
/** Neither is the height of training; one is of odd sides. */
const sizes = ["height=180&width=320", "height=97&width=151"];

const page = await readFile("docs/deploying.md", "utf8");
let root: string;
/** Folders with a model and `image.jpg`, and the classes that `Segmenter` gives. */
let folders: { readonly folder: string; readonly wanted: Uint8Array }[];
let baseline: (typeof folders)[number];
let card: string;
let baselineCard: string;

async function folderWith(name: string, model: string, image: string): Promise<(typeof folders)[number]> {
  const folder = join(root, name);
  await mkdir(folder);
  await copyFile(model, join(folder, basename(model)));
  // Without loss, so that no decoder makes a difference; they look at the bytes of a file, not at its name.
  await sharp(image).png().toFile(join(folder, "image.jpg"));
  const segmenter = await Segmenter.open(model, { threads: 1 });
  const { classes, width, height } = await segmenter.segment(join(folder, "image.jpg"));
  await segmenter.close();
  expect(classes).toHaveLength(width * height);
  expect(new Set(classes).size).toBeGreaterThan(2);
  return { folder, wanted: classes };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "snippets-"));
  const run = join(root, "run");
  const cache = join(root, "cache");
  const { tensors: weights } = readSafetensors(await readFile("assets/city.safetensors"), "city.safetensors");
  const trained = { network: { width: 0.5, features: 96 }, weights };
  await writeTinyRun(run, { source: SOURCE, targets: [SOURCE], classes: 19, score: "softmax", trained });
  await exportModel(run, { cache, threads: 1 });
  card = await readFile(join(run, "model.md"), "utf8");
  const model = join(run, "model.onnx");
  const images = await Promise.all(
    sizes.map(async (size) => (await openDataset(`scenes:city?split=val&count=1&${size}`, { cache })).items[0]!.image),
  );
  folders = [];
  for (const [i, image] of images.entries()) folders.push(await folderWith(`size${i}`, model, image));
  await mkdir(join(run, "stages"));
  await copyFile(join(run, "weights.safetensors"), join(run, "stages", "1-pretraining.safetensors"));
  await exportModel(run, { method: "max-logit", cache, threads: 1 });
  baselineCard = await readFile(join(run, "model.max-logit.md"), "utf8");
  baseline = await folderWith("baseline", join(run, "model.max-logit.onnx"), images[0]!);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const agreement = (a: Uint8Array, b: Uint8Array): number =>
  a.length === b.length ? a.filter((id, i) => id === b[i]).length / a.length : 0;

/** Which block of the card it is, and what docs/deploying.md has of it. */
const ways = [
  { title: "Node", missing: false, run: inNode, language: "js", place: 0, documented: blocksOf(page, "ts") },
  { ...pythonIs, run: inPython, language: "python", place: 0, documented: blocksOf(page, "python") },
  {
    title: withoutChromium === false ? "a browser" : `a browser (skipped: ${withoutChromium})`,
    ...{ missing: withoutChromium !== false, run: inBrowser, language: "js", place: 1, documented: [] },
  },
  { ...cppIs, run: inCpp, language: "cpp", place: 0, documented: blocksOf(page, "cpp") },
] as const;

describe.each(ways)("code for $title", ({ missing, run, language, place, documented }) => {
  const ofCard = (text: string): string => blocksOf(text, language)[place]!;

  test.skipIf(missing)("in the model card gives the classes of Segmenter, whatever the size of the image", async () => {
    for (const { folder, wanted } of folders)
      expect(agreement(await run(folder, ofCard(card)), wanted), folder).toBeGreaterThan(0.999);
  });

  test.skipIf(missing)("in the card of a baseline does the same", async () => {
    expect(agreement(await run(baseline.folder, ofCard(baselineCard)), baseline.wanted)).toBeGreaterThan(0.999);
  });

  test.skipIf(missing || documented.length === 0)("in docs/deploying.md does the same", async () => {
    for (const code of documented)
      for (const { folder, wanted } of folders)
        expect(agreement(await run(folder, code), wanted), folder).toBeGreaterThan(0.999);
  });
});

test("every block of code in the card, and in docs/deploying.md, is one of those", () => {
  const languages = (text: string): string[] => [...text.matchAll(/^```(\w+)$/gm)].map(([, language]) => language!);
  expect(languages(card)).toEqual(["js", "python", "js", "cpp"]);
  expect(languages(baselineCard)).toEqual(["js", "python", "js", "cpp"]);
  expect(languages(page).toSorted()).toEqual(["cpp", "python", "ts"]);
});
