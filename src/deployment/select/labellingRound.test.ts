import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { checkDataset } from "../../data/datasets/checkDataset.js";
import { readSample } from "../../data/datasets/readSample.js";
import { openDataset } from "../../data/open/openDataset.js";
import { openArchive } from "../../networks/weights/zip.js";
import { fakeModel } from "../predict/testing/fakeModel.js";
import { writeZip } from "./cvat.js";
import { openCvatExport } from "./cvatExport.js";
import { mergeLabels } from "./mergeLabels.js";
import { selectWith } from "./selectImages.js";

// Two classes share a colour and one is black, which no mask could tell apart.
const classes: { name: string; colour: [number, number, number] }[] = [
  { name: "road", colour: [128, 64, 128] },
  { name: "sky", colour: [0, 0, 0] },
  { name: "tree", colour: [128, 64, 128] },
];

/** Reds below `doubtful` are uncertain; the class is red modulo 3. */
const model = (doubtful: number) =>
  fakeModel({ class: (red) => red % 3, certain: (red) => (red >= doubtful ? 1 : 0) }, classes);

/** The labels that the model is certain of. */
const certainLabels = (rgb: Uint8Array, doubtful: number): number[] =>
  Array.from({ length: rgb.length / 3 }, (_, i) => (rgb[3 * i]! >= doubtful ? rgb[3 * i]! % 3 : 255));

/** One image of each brightness: the darker, the less certain. */
async function images(folder: string): Promise<void> {
  for (const [i, red] of [250, 130, 90, 60, 20].entries()) {
    const rgb = Buffer.alloc(48 * 32 * 3);
    for (let at = 0; at < rgb.length; at++) rgb[at] = Math.min(255, red + ((at * 7) % 90));
    await writeFiles(folder, {
      [`frames/day one/${i}.png`]: await sharp(rgb, { raw: { width: 48, height: 32, channels: 3 } })
        .png()
        .toBuffer(),
    });
  }
}

async function selected(folder: string) {
  await images(folder);
  const options = {
    on: `folder:${join(folder, "frames")}`,
    count: 3,
    to: join(folder, "label"),
    cache: join(folder, "cache"),
  };
  return selectWith(await model(100), "m.onnx", options);
}

/** A small labelled data set with ids that are not places in the class list. */
async function source(folder: string): Promise<string> {
  const ids = [7, 8, 9, 30, 0];
  await writeFiles(join(folder, "own"), {
    "img/a.jpg": await testImage(40, 32).jpeg().toBuffer(),
    "img/deep/b.png": await testImage(40, 32, 1).png().toBuffer(),
    "gt/a.png": idMap(40, 32, ids),
    "gt/deep/b.png": idMap(40, 32, 8),
    "classes.json": JSON.stringify({
      classes: classes.map(({ name, colour }, i) => ({ name, colour, ids: [7 + i] })),
      unknown: [30],
      void: [0],
    }),
  });
  return `folder:${join(folder, "own")}?images=img&labels=gt`;
}

async function unzipped(file: string) {
  const archive = await openArchive(await readFile(file), (why) => {
    throw new Error(why);
  });
  return { names: archive.names, read: async (name: string) => Buffer.from((await archive.read(name))!) };
}

test("chosen images are written for CVAT, and what the model is certain of is read back from the masks", () =>
  withFolder(async (folder) => {
    const selection = await selected(folder);
    expect(selection.images.map(({ name }) => name)).toEqual([
      "0001_day_one_4.png",
      "0002_day_one_3.png",
      "0003_day_one_1.png",
    ]);
    const zip = await unzipped(join(folder, "label", "images.zip"));
    expect(zip.names).toEqual(selection.images.map(({ name }) => name));
    const annotations = await unzipped(join(folder, "label", "annotations.zip"));
    const stems = selection.images.map(({ name }) => name.replace(".png", ""));
    expect((await annotations.read("ImageSets/Segmentation/default.txt")).toString()).toBe(`${stems.join("\n")}\n`);
    const unpacked: Record<string, Uint8Array> = {};
    for (const name of annotations.names) unpacked[`cvat/${name}`] = await annotations.read(name);
    for (const { name, id } of selection.images) {
      unpacked[`cvat/JPEGImages/${name}`] = await zip.read(name);
      expect((await zip.read(name)).equals(await readFile(join(folder, "frames", `${id}.png`)))).toBe(true);
    }
    await writeFiles(folder, unpacked);
    const dataset = await openDataset(`folder:${join(folder, "cvat")}?images=JPEGImages&labels=SegmentationClass`);
    expect(dataset.labelling!.classes.classes.map(({ name }) => name)).toEqual(["road", "sky", "tree"]);
    for (const item of dataset.items) {
      const { rgb, labels } = await readSample(dataset, item);
      expect([...labels!]).toEqual(certainLabels(rgb, 100));
    }
    const labels = JSON.parse(await readFile(join(folder, "label", "labels.json"), "utf8")) as {
      name: string;
      color: string;
    }[];
    expect(labels.map(({ name }) => name)).toEqual(["road", "sky", "tree"]);
    expect(new Set(["#000000", ...labels.map(({ color }) => color)]).size).toBe(4);
    const coco = JSON.parse(await readFile(join(folder, "label", "coco.json"), "utf8")) as {
      images: { file_name: string }[];
    };
    expect(coco.images.map(({ file_name }) => file_name)).toEqual(zip.names);
  }));

test("what was labelled joins the source: images and labels of both, nothing changed or lost", () =>
  withFolder(async (folder) => {
    const selection = await selected(folder);
    const spec = await source(folder);
    const before = await openDataset(spec);
    const to = join(folder, "merged");
    const merged = await mergeLabels(join(folder, "label", "annotations.zip"), {
      selection: join(folder, "label"),
      source: spec,
      to,
    });
    expect(merged).toEqual({ spec: `folder:${to}?images=images&labels=labels`, source: 2, added: 3, unlabelled: [] });
    const dataset = await openDataset(merged.spec);
    expect(dataset.labelling!.classes.classes.map(({ name }) => name)).toEqual(["road", "sky", "tree"]);
    expect((await checkDataset(dataset)).problems.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const item of before.items) {
      const same = dataset.items.find(({ id }) => id === `source/${item.id}`)!;
      expect((await readFile(same.image)).equals(await readFile(item.image))).toBe(true);
      expect((await stat(same.image)).ino).toBe((await stat(item.image)).ino);
      expect([...(await readSample(dataset, same)).labels!]).toEqual([...(await readSample(before, item)).labels!]);
    }
    for (const { name } of selection.images) {
      const item = dataset.items.find(({ id }) => id === `selected/${name.replace(".png", "")}`)!;
      const { rgb, labels } = await readSample(dataset, item);
      expect([...labels!]).toEqual(certainLabels(rgb, 100));
    }
  }));

/** An export of CVAT with one mask, of one colour. */
async function exported(
  folder: string,
  name: string,
  { labelmap = "road:1,2,3::\n", colour = "#010203", width = 48 } = {},
) {
  const mask = sharp({ create: { width, height: 32, channels: 3, background: colour } }).png();
  const file = join(folder, "export.zip");
  await writeZip(file, [
    ["labelmap.txt", Buffer.from(`background:0,0,0::\n${labelmap}`)],
    [`SegmentationClass/${name.replace(/\.\w+$/, "")}.png`, await mask.toBuffer()],
  ]);
  return file;
}

test("labels that the source has no class for are refused, unless they are named as unknown", () =>
  withFolder(async (folder) => {
    const { images: chosen } = await selected(folder);
    const horse = await exported(folder, chosen[0]!.name, { labelmap: "horse:1,2,3::\n" });
    const options = { selection: join(folder, "label"), source: await source(folder), to: join(folder, "merged") };
    await expect(mergeLabels(horse, options)).rejects.toThrow('the label "horse" is no class of the source');
    const merged = await mergeLabels(horse, { ...options, unknown: ["horse"] });
    expect([merged.added, merged.unlabelled]).toEqual([1, chosen.slice(1).map(({ name }) => name)]);
    const dataset = await openDataset(merged.spec);
    const { labels } = await readSample(dataset, dataset.items.find(({ id }) => id.startsWith("selected/"))!);
    expect(new Set(labels)).toEqual(new Set([254]));
    await expect(mergeLabels(horse, options)).rejects.toThrow("has files in it already");
  }));

test("an export that does not fit is refused by name, before anything is written", () =>
  withFolder(async (folder) => {
    const { images: chosen } = await selected(folder);
    const options = { selection: join(folder, "label"), source: await source(folder), to: join(folder, "merged") };
    const { name } = chosen[0]!;
    const merging = async (file: string) => mergeLabels(file, options);
    await expect(merging(await exported(folder, name, { width: 47 }))).rejects.toThrow("is 47 x 32, but its image");
    await expect(merging(await exported(folder, name, { colour: "#040506" }))).rejects.toThrow("SegmentationClass/");
    await expect(merging(await exported(folder, "other.png"))).rejects.toThrow("has no labels of an image of");
    await expect(merging(await exported(folder, name, { colour: "#000000" }))).rejects.toThrow(
      "has no labels of an image of",
    );
    await expect(merging(join(folder, "label", "images.zip"))).rejects.toThrow("has no labelmap.txt");
    await expect(merging(join(folder, "frames"))).rejects.toThrow("has no labelmap.txt");
    await expect(
      mergeLabels(await exported(folder, name), { ...options, source: `folder:${join(folder, "frames")}` }),
    ).rejects.toThrow("has no labels");
    expect(await stat(options.to).catch(() => null)).toBeNull();
  }));

test("an image that cannot be read is passed over by name", () =>
  withFolder(async (folder) => {
    await images(folder);
    await writeFiles(folder, { "frames/broken.png": "no image" });
    const notes: string[] = [];
    const selection = await selectWith(await model(100), "m.onnx", {
      on: `folder:${join(folder, "frames")}`,
      count: 6,
      to: join(folder, "label"),
      onNote: (note) => void notes.push(note),
    });
    expect(selection.images).toHaveLength(5);
    expect(notes).toEqual([expect.stringMatching(/^skipped: .*broken\.png: is text, not an image/)]);
  }));

test("too few images, and class names that CVAT cannot have, are refused", () =>
  withFolder(async (folder) => {
    await images(folder);
    const options = { on: `folder:${join(folder, "frames")}`, count: 6, to: join(folder, "label") };
    await expect(selectWith(await model(100), "m.onnx", options)).rejects.toThrow("has 5 images, too few to choose 6");
    const odd = await fakeModel({ class: 0, certain: 0 }, [{ name: "background", colour: [1, 1, 1] }]);
    await expect(selectWith(odd, "m.onnx", { ...options, count: 1 })).rejects.toThrow(
      'CVAT cannot have a label "background"',
    );
  }));

test("a labelmap.txt or a mask of an export that unpacks to more than there is use for is refused before it is unpacked", () =>
  withFolder(async (root) => {
    const zip = join(root, "export.zip");
    const megabytes = (count: number) => Buffer.alloc(count * 2 ** 20, 97);
    await writeZip(zip, [["labelmap.txt", megabytes(60)]]);
    await expect(openCvatExport(zip)).rejects.toThrow(
      'its part "labelmap.txt" has 62914560 bytes, at most 1048576 are read',
    );
    await writeZip(zip, [
      ["labelmap.txt", Buffer.from("road:1,2,3::\n")],
      ["SegmentationClass/a.png", megabytes(1)],
    ]);
    expect([...(await openCvatExport(zip)).masks.keys()]).toEqual(["a"]);
  }));
