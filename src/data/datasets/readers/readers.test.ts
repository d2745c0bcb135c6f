import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { colourMap, idMap, testImage, withFolder, writeFiles } from "../../../../test/folders.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../../labels/labelSpace.js";
import { openDataset } from "../../open/openDataset.js";
import type { Dataset } from "../dataset.js";
import { readSample } from "../readSample.js";
import { unlabelled } from "../spec.js";

const jpeg = await testImage(4, 2).jpeg().toBuffer();
const ids = (dataset: Dataset): string[] => dataset.items.map(({ id }) => id);

/** What the first pixels of the first image mean. */
async function first(dataset: Dataset, count: number): Promise<number[]> {
  return [...(await readSample(dataset, dataset.items[0]!)).labels!].slice(0, count);
}

test("cityscapes: label ids are preferred to train ids, and either is found by its file name", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "leftImg8bit/train/ulm/ulm_0_1_leftImg8bit.png": jpeg,
      "leftImg8bit/train/aachen/aachen_0_1_leftImg8bit.png": jpeg,
      "gtFine/train/ulm/ulm_0_1_gtFine_labelTrainIds.png": idMap(4, 2, [0, 255]),
      "gtFine/train/aachen/aachen_0_1_gtFine_labelTrainIds.png": idMap(4, 2, [0, 255]),
      "leftImg8bit/test/bonn/bonn_0_1_leftImg8bit.png": jpeg,
    });
    const trainIds = await openDataset(`cityscapes:${root}`);
    expect(trainIds.spec).toContain("split=train&labels=train-ids");
    expect(ids(trainIds)).toEqual(["aachen/aachen_0_1", "ulm/ulm_0_1"]);
    expect(await first(trainIds, 2)).toEqual([0, VOID_LABEL]);
    await writeFiles(root, {
      "gtFine/train/ulm/ulm_0_1_gtFine_labelIds.png": idMap(4, 2, [7, 14, 1]),
      "gtFine/train/aachen/aachen_0_1_gtFine_labelIds.png": idMap(4, 2, [7, 14, 1]),
    });
    const labelIds = await openDataset(`cityscapes:${root}`);
    expect(labelIds.spec).toContain("labels=ids");
    expect(labelIds.problems).toEqual([]);
    expect(await first(labelIds, 3)).toEqual([0, UNKNOWN_LABEL, VOID_LABEL]);
    expect(await openDataset(`cityscapes:${root}?split=test`)).toMatchObject({
      labelling: null,
      items: [{ labels: null }],
    });
  }));

test("kitti: labelled training, unlabelled testing, and raw drives without those of the labelled frames", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "training/image_2/000000_10.png": jpeg,
      "training/semantic/000000_10.png": idMap(4, 2, [7, 26]),
      "testing/image_2/000000_10.jpg": jpeg,
      "raw/2011_09_26/2011_09_26_drive_0005_sync/image_02/data/0000000001.png": jpeg,
      "raw/2011_09_26/2011_09_26_drive_0009_sync/image_02/data/0000000001.png": jpeg,
      "raw/2011_09_26/2011_09_26_drive_0009_sync/image_03/data/0000000001.png": jpeg,
    });
    expect(await first(await openDataset(`kitti:${root}`), 2)).toEqual([0, 13]);
    await expect(openDataset(`kitti:${root}?split=training+testing`)).rejects.toThrow("joins labelled frames");
    expect(await openDataset(`kitti:${root}?split=testing`)).toMatchObject({ labelling: null });
    await expect(openDataset(`kitti:${root}?split=raw`)).rejects.toThrow("which drives the labelled frames come from");
    await writeFiles(root, { "mapping/train_mapping.txt": "2011_09_26 2011_09_26_drive_0005_sync 0000000109\n\n" });
    const raw = await openDataset(`kitti:${root}?split=raw`);
    expect(ids(raw)).toEqual(["2011_09_26/2011_09_26_drive_0009_sync/image_02/data/0000000001"]);
    expect(ids(await openDataset(`kitti:${root}?split=testing+raw`))).toEqual([
      "raw/2011_09_26/2011_09_26_drive_0009_sync/image_02/data/0000000001",
      "testing/000000_10",
    ]);
  }));

test("bdd: both layouts, both kinds of labels, and 100k without the labelled ids", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "images/10k/val/aa-1.jpg": jpeg,
      "labels/sem_seg/masks/val/aa-1.png": idMap(4, 2, [13, 255]),
      "seg/images/train/bb-2.jpg": jpeg,
      "seg/color_labels/train/bb-2_train_color.png": colourMap(4, 2, [
        [0, 0, 142],
        [255, 70, 0],
        [0, 0, 0],
      ]),
      "images/100k/train/aa-1.jpg": jpeg,
      "images/100k/train/bb-2.jpg": jpeg,
      "images/100k/train/cc-3.jpg": jpeg,
    });
    expect(await first(await openDataset(`bdd:${root}?split=val`), 2)).toEqual([13, VOID_LABEL]);
    expect(await first(await openDataset(`bdd:${root}?labels=colours`), 3)).toEqual([13, UNKNOWN_LABEL, VOID_LABEL]);
    const unlabelled = await openDataset(`bdd:${root}?set=100k`);
    expect(ids(unlabelled)).toEqual(["cc-3"]);
    expect(unlabelled.labelling).toBeNull();
  }));

test("wilddash: version 1 and 2 are told apart by their folders", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "one/wd_val_01/am0000_100000.png": jpeg,
      "one/wd_val_01/am0000_100000_labelIds.png": idMap(4, 2, [7, 29]),
      "one/wd_val_01/am0000_100000_instanceIds.png": idMap(4, 2, 7),
      "two/images/cn0001.jpg": jpeg,
      "two/labels/cn0001.png": idMap(4, 2, [38, 36, 35]),
    });
    const one = await openDataset(`wilddash:${root}/one`);
    expect(ids(one)).toEqual(["am0000_100000"]);
    expect(await first(one, 2)).toEqual([0, UNKNOWN_LABEL]);
    const two = await openDataset(`wilddash:${root}/two`);
    expect(two.spec).toContain("version=2");
    expect(await first(two, 3)).toEqual([0, UNKNOWN_LABEL, 13]);
  }));

test("sax: a domain must be named; train is unlabelled, test has 34 ids", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "new-forest/test/images/1.jpg": jpeg,
      "new-forest/test/labels/1.png": idMap(4, 2, [0, 21, 9]),
      "new-forest/train/images/2.jpg": jpeg,
    });
    await expect(openDataset(`sax:${root}`)).rejects.toThrow("which domain");
    expect(await first(await openDataset(`sax:${root}?domain=new-forest`), 3)).toEqual([UNKNOWN_LABEL, 0, VOID_LABEL]);
    expect(await openDataset(`sax:${root}?domain=new-forest&split=train`)).toMatchObject({ labelling: null });
  }));

test("comma10k: day and night as light.csv says, own car void", () =>
  withFolder(async (root) => {
    const mask = colourMap(4, 2, [
      [64, 32, 32],
      [204, 0, 255],
    ]);
    await writeFiles(root, {
      "imgs/0000_a.jpg": jpeg,
      "imgs/0001_b.jpg": jpeg,
      "masks/0000_a.png": mask,
      "masks/0001_b.png": mask,
      "light.csv": "file,luma,light\n0000_a.png,120.3,day\n0001_b.png,23.7,night\n",
    });
    const night = await openDataset(`comma10k:${root}?light=night`);
    expect(ids(night)).toEqual(["0001_b"]);
    expect(await first(night, 2)).toEqual([0, VOID_LABEL]);
    expect(ids(await openDataset(`comma10k:${root}`))).toHaveLength(2);
  }));

test("folder: images of any ending and depth, a split list, and suffixes", () =>
  withFolder(async (root) => {
    const png = await testImage(4, 2).png().toBuffer();
    await writeFiles(root, {
      "img/a/1_cam.jpg": jpeg,
      "img/2_cam.webp": await testImage(4, 2).webp().toBuffer(),
      "img/3_cam.png": png,
      "gt/a/1_gt.png": idMap(4, 2, 0),
      "gt/2_gt.png": idMap(4, 2, 0),
      "gt/3_gt.png": idMap(4, 2, 0),
      "val.txt": "2\n1\n",
      "classes.json": JSON.stringify({ classes: [{ name: "ground", colour: "#804080" }] }),
    });
    const query = "images=img&labels=gt&image-suffix=_cam&label-suffix=_gt";
    expect(ids(await openDataset(`folder:${root}?${query}`))).toEqual(["2", "3", "a/1"]);
    const split = await openDataset(`folder:${root}?${query}&split=val`);
    expect(ids(split)).toEqual(["2", "a/1"]);
    expect(split.labelling?.classes.name).toBe("own");
    expect(ids(await openDataset(`folder:${root}/img`))).toEqual(["2_cam", "3_cam", "a/1_cam"]);
    await expect(openDataset(`folder:${root}?images=img&classes=classes.json`)).rejects.toThrow("but no labels");
    await expect(openDataset(`folder:${root}/img?labels=a`)).rejects.toThrow("nothing says what the labels");
  }));

test("a path alone is enough: img beside gt and classes.json, and for a target the images alone", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/1.jpg": jpeg,
      "img/2.jpg": jpeg,
      "gt/1.png": idMap(4, 2, 0),
      "gt/2.png": idMap(4, 2, 0),
      "classes.json": JSON.stringify({ classes: [{ name: "ground", colour: "#804080" }] }),
    });
    const found = await openDataset(root);
    expect(found.spec).toBe(`folder:${root}?images=img&labels=gt`);
    expect(found.items.map(({ labels }) => labels)).toEqual([join(root, "gt/1.png"), join(root, "gt/2.png")]);
    const blind = await openDataset(unlabelled(root));
    expect([blind.labelling, ids(blind)]).toEqual([null, ["1", "2"]]);
    expect(ids(await openDataset(`${root}?every=2`))).toEqual(["1"]);
    expect(ids(await openDataset(join(root, "img")))).toEqual(["1", "2"]);
    await writeFiles(root, { "dataset.json": JSON.stringify({ heldOut: 2 }) });
    expect((await openDataset(root)).spec).toBe(`folder:${root}?images=img&labels=gt&split=train`);
    await rm(join(root, "dataset.json"));
    // Two folders that could be meant are nobody's guess.
    await writeFiles(root, { "images/1.jpg": jpeg });
    expect((await openDataset(root)).items).toHaveLength(5);
    await writeFiles(root, { "run.json": "{}" });
    await expect(openDataset(root)).rejects.toThrow(`${root} is a run folder, not a data set`);
  }));

test("folder: splits that are folders, as img/train beside gt/train", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "images/train/1.jpg": jpeg,
      "images/val/1.jpg": jpeg,
      "labels/train/1.png": idMap(4, 2, 0),
      "labels/val/1.png": idMap(4, 2, 0),
      "classes.json": JSON.stringify({ classes: [{ name: "ground", colour: "#804080" }] }),
    });
    const val = await openDataset(`${root}?split=val`);
    expect(val.items).toEqual([
      { id: "val/1", image: join(root, "images/val/1.jpg"), labels: join(root, "labels/val/1.png") },
    ]);
  }));

test("dataset.json says what a spec need not: folders, classes, suffixes, and which images are held out", () =>
  withFolder(async (root) => {
    const written = (layout: object) => writeFiles(root, { "dataset.json": JSON.stringify(layout) });
    await writeFiles(root, Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`cam/${i}_c.jpg`, jpeg])));
    await writeFiles(root, Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`seg/${i}_s.png`, idMap(4, 2, 0)])));
    const layout = { images: "cam", labels: "seg", classes: "cityscapes-train-ids" };
    await written({ ...layout, "image-suffix": "_c", "label-suffix": "_s", heldOut: 3 });
    const train = await openDataset(root);
    expect(ids(train)).toEqual(["2", "3", "5"]);
    expect(train.spec).toBe(
      `folder:${root}?images=cam&labels=seg&image-suffix=_c&label-suffix=_s&classes=cityscapes-train-ids&split=train`,
    );
    // The spec of an opened set opens the same one, and tells what is held out.
    expect(ids(await openDataset(train.spec))).toEqual(ids(train));
    expect(ids(await openDataset(train.spec.replace("split=train", "split=val")))).toEqual(["1", "4"]);
    expect((await openDataset(`${root}?split=all`)).items).toHaveLength(5);
    const blind = await openDataset(`${unlabelled(root)}&split=all`);
    expect([blind.labelling, ids(blind)]).toEqual([null, ["1", "2", "3", "4", "5"]]);
    await expect(openDataset(`${root}?split=test`)).rejects.toThrow('split is "test"');
    await written({ ...layout, images: "../elsewhere" });
    await expect(openDataset(root)).rejects.toThrow(
      `${join(root, "dataset.json")}: images is "../elsewhere": wanted a path below the folder`,
    );
    await written({ ...layout, heldout: 3 });
    await expect(openDataset(root)).rejects.toThrow('there is no field "heldout"');
  }));

test("folder: names of macOS and of Linux that look the same are the same, in pairs and in lists", () =>
  withFolder(async (root) => {
    const [composed, apart] = ["über/straße", "über/straße"].map((name, i) => name.normalize(i === 0 ? "NFC" : "NFD"));
    expect(composed).not.toBe(apart);
    await writeFiles(root, {
      [`img/${apart}.jpg`]: jpeg,
      [`gt/${composed}.png`]: idMap(4, 2, [0, 1]),
      "img/b.jpg": jpeg,
      "gt/b.png": idMap(4, 2, [0, 1]),
      "list.txt": `${apart}\n`,
    });
    const spec = `folder:${root}?images=img&labels=gt&classes=cityscapes-train-ids`;
    const dataset = await openDataset(spec);
    expect(dataset.problems).toEqual([]);
    expect(ids(dataset)).toEqual(["b", composed]);
    expect((await readSample(dataset, dataset.items[1]!)).labels).toHaveLength(8);
    expect(ids(await openDataset(`${spec}&split=list`))).toEqual([composed]);
  }));

test("folder: split lists of sequences whose images have the same names", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "seq1/0001.jpg": jpeg,
      "seq1/0002.jpg": jpeg,
      "seq2/0001.jpg": jpeg,
      "deep/seq3/0003.jpg": jpeg,
      "train.txt": "seq1/0001.jpg\nseq1/0002.jpg\n",
      "val.txt": "seq2\\0001.jpg seq2/0001.png\n/somewhere/deep/seq3/0003.jpg\n",
      "short.txt": "seq3/0003\n0002\n",
      "unclear.txt": "0001\nseq1/0002\n",
      "absent.txt": "seq3/0001\nseq1/0002\n",
    });
    const split = (name: string) => openDataset(`folder:${root}?split=${name}`);
    expect(ids(await split("train"))).toEqual(["seq1/0001", "seq1/0002"]);
    expect(ids(await split("val"))).toEqual(["deep/seq3/0003", "seq2/0001"]);
    expect(ids(await split("short"))).toEqual(["deep/seq3/0003", "seq1/0002"]);
    expect((await split("unclear")).problems).toMatchObject([
      { severity: "error", code: "list-ambiguous", file: join(root, "unclear.txt") },
    ]);
    expect((await split("absent")).problems).toMatchObject([{ severity: "error", code: "image-missing" }]);
    await writeFiles(root, { "unclear.txt": "0001\n" });
    await expect(split("unclear")).rejects.toMatchObject({
      hint: expect.stringContaining('any of 2 images, such as "seq1/0001"'),
    });
  }));

test("manifest: rows of a split, relative to the table, never outside its folder", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "images/a.jpg": jpeg,
      "images/b, c.jpg": jpeg,
      "maps/a.png": idMap(4, 2, 5),
      "list.csv": '\ufeffimage,labels,split\r\nimages/a.jpg,maps/a.png,test\r\n"images/b, c.jpg",,train\r\n',
    });
    const labelled = await openDataset(`manifest:${root}/list.csv?split=test&classes=cityscapes-train-ids`);
    expect(ids(labelled)).toEqual(["images/a"]);
    expect(await first(labelled, 1)).toEqual([5]);
    const unlabelled = await openDataset(`manifest:${root}/list.csv?split=train`);
    expect(unlabelled).toMatchObject({ labelling: null, items: [{ id: "images/b, c", labels: null }] });
    await expect(openDataset(`manifest:${root}/list.csv?classes=cityscapes-train-ids`)).rejects.toThrow(
      "line 3 has no labels",
    );
    for (const path of [
      "../secret.png",
      "a/../../b.png",
      "/etc/passwd",
      "http://x/y.png",
      "\\\\host\\a.png",
      "C:\\a.png",
    ]) {
      await writeFiles(root, { "bad.csv": `image\n${path}\n` });
      await expect(openDataset(`manifest:${root}/bad.csv`)).rejects.toThrow("is not a path inside");
    }
    await writeFiles(root, { "maps.csv": "image\nb.png\n", "twice.csv": "image\nimages/a.jpg\nimages/a.png\n" });
    expect(basename((await openDataset(`manifest:${root}/maps.csv?root=maps`)).items[0]!.image)).toBe("b.png");
    expect((await openDataset(`manifest:${root}/twice.csv`)).problems).toMatchObject([{ code: "stem-twice" }]);
    await writeFiles(root, { "odd.csv": "img\na.png\n" });
    await expect(openDataset(`manifest:${root}/odd.csv`)).rejects.toThrow('there is no column "image"');
  }));

test("a table of a hundred thousand rows opens in a few hundred megabytes", () =>
  withFolder(async (root) => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `frames/${i}.jpg,train`);
    await writeFiles(root, { "big.csv": `image,split\n${rows.join("\n")}\n` });
    const before = process.memoryUsage().rss;
    expect((await openDataset(`manifest:${root}/big.csv?split=train`)).items).toHaveLength(100_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  }));

const real = "../shared/data";
test.skipIf(!existsSync(real))("the real KITTI and comma10k open and read (needs ../shared/data)", async () => {
  const counts: Record<string, number> = {};
  for (const spec of [
    `kitti:${real}/kitti`,
    `kitti:${real}/kitti?split=testing`,
    `kitti:${real}/kitti?split=road-testing`,
    `comma10k:${real}/comma10k?light=day`,
    `comma10k:${real}/comma10k?light=night`,
    `comma10k:${real}/comma10k?light=night&every=2`,
  ]) {
    const dataset = await openDataset(spec);
    counts[spec.slice(spec.lastIndexOf("/") + 1)] = dataset.items.length;
    const { labels, width, height } = await readSample(dataset, dataset.items.at(-1)!);
    if (labels !== null) expect(labels).toHaveLength(width * height);
  }
  expect(Object.values(counts)).toEqual([200, 200, 290, 420, 298, 149]);
});

test("folder: label maps that are read as images are pointed out, with the spec that reads them as labels", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/1.jpg": jpeg,
      "img/deep/2.jpg": jpeg,
      "gt/1.png": idMap(4, 2, [0, 1]),
      "gt/deep/2.png": idMap(4, 2, [0, 1]),
      "other/1.jpg": jpeg,
    });
    const { items, problems } = await openDataset(`folder:${root}`);
    expect(items).toHaveLength(5);
    expect(problems).toMatchObject([
      { severity: "warning", code: "labels-among-images", hint: expect.stringContaining("images=img&labels=gt") },
    ]);
    expect((await openDataset(`folder:${root}?images=img`)).problems).toEqual([]);
    // Two cameras with the same names are no labels.
    expect((await openDataset(`folder:${root}?images=gt`)).problems).toEqual([]);
  }));
