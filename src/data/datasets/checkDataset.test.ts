import { existsSync } from "node:fs";
import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type DirtyData, dirtyData, dirtySpec, makeDirty } from "../../../test/dirtyData.js";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { DataError } from "../images/dataError.js";
import { openDataset } from "../open/openDataset.js";
import { changedSince, checkDataset } from "./checkDataset.js";
import { readSample } from "./readSample.js";

test.each(dirtyData.map((dirty) => [dirty.name, dirty] as const))("%s", (_, dirty) =>
  withFolder(async (root) => {
    const dataset = await openDataset(await makeDirty(root, dirty));
    const { problems, images } = await checkDataset(dataset);
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(images).toBe(dataset.items.length);
    expect(errors.length > 0 ? "refused" : problems.length > 0 ? "warned" : "fine").toBe(dirty.verdict);
    if (dirty.verdict === "fine") return;
    const named = problems.find(({ code }) => code === dirty.code);
    expect(named, `no ${dirty.code} among ${JSON.stringify(problems)}`).toBeDefined();
    if (dirty.file !== undefined) expect(named!.file).toBe(join(root, dirty.file));
    if (dirty.message !== undefined) expect(named!.message).toMatch(dirty.message);
    // Nothing that could move a cursor, and nothing else found: one cause, one problem.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what we are after
    expect(problems.map(({ message }) => message).join(" ")).not.toMatch(/[\u0000-\u001f]/);
    expect(problems.map(({ code }) => code)).toEqual([dirty.code]);
    await readsAsChecked(dirty, root);
  }),
);

/** Reading refuses what the check refuses in a file, with the same words, and reads everything else. */
async function readsAsChecked(dirty: DirtyData, root: string): Promise<void> {
  const dataset = await openDataset(dirtySpec(root, dirty));
  const thrown: unknown[] = [];
  for (const item of dataset.items) {
    const sample = await readSample(dataset, item).catch((error: unknown) => void thrown.push(error));
    if (sample) expect(sample.rgb).toHaveLength(sample.width * sample.height * 3);
  }
  for (const error of thrown) expect(error).toMatchObject({ name: "DataError", code: dirty.code });
  const aboutFiles = dirty.verdict === "refused" && !["label-space", "stem-twice"].includes(dirty.code!);
  expect(thrown.length).toBe(aboutFiles ? 1 : 0);
  if (aboutFiles) expect(thrown[0]).toBeInstanceOf(DataError);
}

/** Three pairs: road and car, and one pixel in four of no class. */
async function threePairs(root: string): Promise<string> {
  for (const id of [0, 1, 2]) {
    await writeFiles(root, {
      [`img/${id}.png`]: await testImage(40, 32, id).png().toBuffer(),
      [`gt/${id}.png`]: idMap(40, 32, [7, 26, 0, 29]),
    });
  }
  return `folder:${root}?images=img&labels=gt&classes=cityscapes-ids`;
}

test("a check counts images, sizes, values and shares", () =>
  withFolder(async (root) => {
    const check = await checkDataset(await openDataset(await threePairs(root)));
    expect(check).toMatchObject({
      images: 3,
      labelled: true,
      sizes: [{ width: 40, height: 32, images: 3 }],
      values: { 0: 960, 7: 960, 26: 960, 29: 960 },
      unknown: { share: 0.25, images: 3 },
      void: { share: 0.25 },
      problems: [],
    });
    expect(check.classes[0]).toEqual({ name: "road", pixels: 960, share: 0.25, images: 3 });
    expect(check.classes[1]).toEqual({ name: "sidewalk", pixels: 0, share: 0, images: 0 });
  }));

test("a second check does not open what has not changed", () =>
  withFolder(async (root) => {
    const dataset = await openDataset(await threePairs(root));
    const remembered = join(root, "memory", "scans.json");
    const image = join(root, "img/1.png");
    const { size } = await stat(image);
    await utimes(image, 1000, 1000);
    const first = await checkDataset(dataset, { remembered });
    expect(first.problems).toEqual([]);
    // Rubbish of the same size and time: only a check that opens the file would notice.
    await writeFiles(root, { "img/1.png": Buffer.alloc(size, "x") });
    await utimes(image, 1000, 1000);
    const { stamps: _, ...second } = await checkDataset(dataset, { remembered });
    expect(first).toMatchObject(second);
    await utimes(image, 2000, 2000);
    expect((await checkDataset(dataset, { remembered })).problems).toMatchObject([{ file: image }]);
    // A memory that is torn is no memory, and no error.
    await writeFiles(root, { "memory/scans.json": "torn {" });
    await utimes(image, 1000, 1000);
    expect((await checkDataset(dataset, { remembered })).problems).toMatchObject([{ file: image }]);
  }));

test("files that change after the check are named", () =>
  withFolder(async (root) => {
    const check = await checkDataset(await openDataset(await threePairs(root)));
    expect(await changedSince(check)).toEqual([]);
    await writeFiles(root, { "gt/2.png": idMap(40, 32, [7, 8]) });
    await utimes(join(root, "gt/2.png"), 1, 1);
    expect(await changedSince(check)).toMatchObject([{ code: "file-changed", file: join(root, "gt/2.png") }]);
  }));

test("progress is told for each image", () =>
  withFolder(async (root) => {
    const seen: string[] = [];
    await checkDataset(await openDataset(await threePairs(root)), {
      onProgress: (done, total) => seen.push(`${done}/${total}`),
    });
    expect(seen).toEqual(["1/3", "2/3", "3/3"]);
  }));

const real = "../shared/data";
test.skipIf(!existsSync(real))(
  "samples of the real CamVid, KITTI and comma10k hold no errors (needs ../shared/data)",
  async () => {
    for (const spec of [
      `camvid:${real}/camvid?every=20`,
      `camvid:${real}/camvid?classes=cityscapes&sequence=Seq05VD_f02610`,
      `kitti:${real}/kitti?every=20`,
      `kitti:${real}/kitti?split=road-testing&every=20`,
      `comma10k:${real}/comma10k?every=40`,
    ]) {
      const { problems, classes, labelled } = await checkDataset(await openDataset(spec));
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      if (labelled) expect(classes.some(({ share }) => share > 0.1)).toBe(true);
    }
    const flawed = await checkDataset(await openDataset(`camvid:${real}/camvid?sequence=Seq05VD_f02610`));
    expect(flawed.problems).toMatchObject([{ severity: "warning", code: "label-strays" }]);
  },
);
