import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { colourMap, idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { UserError } from "../../platform/errors.js";
import { readSample } from "../datasets/readSample.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import { genericOptions, openDataset, readers } from "./openDataset.js";

async function refusal(work: Promise<unknown>): Promise<UserError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof UserError) return error;
  throw new Error(`wanted a refusal, got ${error}`);
}

test("a misspelled reader or option is answered with the one that was meant", async () => {
  expect((await refusal(openDataset("camvd:/x"))).hint).toContain('did you mean "camvid"?');
  expect((await refusal(openDataset("scenes:town?seeds=1"))).hint).toContain('did you mean "seed"?');
  expect((await refusal(openDataset("folder:/x?limt=1"))).hint).toContain('did you mean "limit"?');
  expect((await refusal(openDataset("data/frames"))).message).toContain("there is no folder data/frames");
  expect((await refusal(openDataset("http://x/y"))).message).toContain('no reader "http"');
  expect((await refusal(openDataset("camvid:/x?split=trian"))).hint).toContain('did you mean "train"?');
  expect((await refusal(openDataset("__proto__:/x"))).message).toContain("is not a data set spec");
});

test("every option says what it does", () => {
  for (const { options } of [...Object.values(readers), { options: genericOptions }]) {
    for (const text of Object.values(options)) expect(text.length).toBeGreaterThan(10);
  }
});

test("a missing folder is named", async () => {
  expect((await refusal(openDataset("camvid:/nowhere"))).message).toContain("there is no folder /nowhere/train");
});

test("every, except, limit and unlabelled choose among the sorted images", () =>
  withFolder(async (root) => {
    for (let i = 0; i < 10; i++) {
      await writeFiles(root, {
        [`img/${i}.png`]: await testImage(4, 4, i).png().toBuffer(),
        [`gt/${i}.png`]: idMap(4, 4, 0),
      });
    }
    const ids = async (query: string): Promise<string> =>
      (await openDataset(`folder:${root}?images=img&labels=gt&classes=cityscapes-train-ids${query}`)).items
        .map(({ id }) => id)
        .join("");
    expect(await ids("")).toBe("0123456789");
    expect(await ids("&every=4")).toBe("048");
    expect(await ids("&except=4")).toBe("1235679");
    expect(await ids("&except=4&limit=2")).toBe("12");
    expect((await refusal(ids("&every=2&except=2"))).message).toContain("cannot be given together");
    const blind = await openDataset(`folder:${root}?images=img&labels=gt&classes=cityscapes-train-ids&unlabelled=true`);
    expect(blind.labelling).toBeNull();
    expect(blind.items.every(({ labels }) => labels === null)).toBe(true);
    expect((await openDataset(blind.spec)).items).toEqual(blind.items);
    // What is wrong with labels is no matter to those who do not open them; a doubtful image only if it was kept.
    await writeFiles(root, { "gt/99.png": "", "img/9.jpg": "", "gt/3.jpg": "" });
    expect((await openDataset(blind.spec)).problems).toMatchObject([{ code: "stem-twice" }]);
    expect((await openDataset(`${blind.spec}&limit=3`)).problems).toEqual([]);
  }));

test("camvid is read in its official layout, by split, sequence and classes", () =>
  withFolder(async (root) => {
    const jpeg = await testImage(4, 2).jpeg().toBuffer();
    const map = colourMap(4, 2, [
      [128, 64, 128],
      [64, 128, 64],
      [0, 0, 0],
    ]);
    for (const id of ["0001TP_1", "0006R0_2", "Seq05VD_3"]) {
      await writeFiles(root, { [`701_StillsRaw_full/${id}.jpg`]: jpeg, [`LabeledApproved_full/${id}_L.png`]: map });
    }
    await writeFiles(root, { "train.txt": "0001TP_1\n0006R0_2\n", "test.txt": "Seq05VD_3" });
    const ids = async (query: string): Promise<string[]> =>
      (await openDataset(`camvid:${root}${query}`)).items.map(({ id }) => id);
    expect(await ids("")).toEqual(["0001TP_1", "0006R0_2", "Seq05VD_3"]);
    expect(await ids("?sequence=day")).toEqual(["0006R0_2", "Seq05VD_3"]);
    expect(await ids("?sequence=dusk&split=train")).toEqual(["0001TP_1"]);
    expect(await ids("?sequence=Seq05&split=test+train")).toEqual(["Seq05VD_3"]);
    const eleven = await openDataset(`camvid:${root}?limit=1`);
    expect([...(await readSample(eleven, eleven.items[0]!)).labels!].slice(0, 3)).toEqual([3, 9, VOID_LABEL]);
    const cityscapes = await openDataset(`camvid:${root}?classes=cityscapes`);
    expect([...(await readSample(cityscapes, cityscapes.items[0]!)).labels!].slice(0, 3)).toEqual([
      0,
      UNKNOWN_LABEL,
      VOID_LABEL,
    ]);
  }));

test("camvid is read in SegNet's layout as well", () =>
  withFolder(async (root) => {
    const png = await testImage(4, 2).png().toBuffer();
    for (const split of ["train", "val", "test"]) {
      await writeFiles(root, {
        [`${split}/${split}_1.png`]: png,
        [`${split}annot/${split}_1.png`]: idMap(4, 2, [3, 11]),
      });
    }
    const dataset = await openDataset(`camvid:${root}?split=val`);
    expect(dataset.items.map(({ id }) => id)).toEqual(["val_1"]);
    expect([...(await readSample(dataset, dataset.items[0]!)).labels!].slice(0, 2)).toEqual([3, VOID_LABEL]);
  }));

test("drawn scenes become files of the cache, their unknown things unknown", () =>
  withFolder(async (cache) => {
    const dataset = await openDataset("scenes:town?count=2&width=64&height=32", { cache });
    expect(dataset.spec).toBe("scenes:town?count=2&height=32&width=64&split=test&seed=0&classes=cityscapes");
    expect(dataset.items).toHaveLength(2);
    expect(existsSync(dataset.items[1]!.labels!)).toBe(true);
    const { labels, width, height } = await readSample(dataset, dataset.items[0]!);
    expect([width, height, labels!.length]).toEqual([64, 32, 2048]);
    expect(labels!.every((label) => label < 19 || label === UNKNOWN_LABEL)).toBe(true);
    expect((await refusal(openDataset("scenes:town"))).message).toContain("needs a cache folder");
  }));

const camvid = "../shared/data/camvid";
test.skipIf(!existsSync(camvid))("the real CamVid opens with its usual splits (needs ../shared/data)", async () => {
  const count = async (query: string): Promise<number> => (await openDataset(`camvid:${camvid}${query}`)).items.length;
  expect(await count("")).toBe(701);
  expect(await count("?split=train")).toBe(367);
  expect(await count("?split=train+val")).toBe(468);
  expect(await count("?sequence=dusk&split=test")).toBe(62);
  const dataset = await openDataset(`camvid:${camvid}?classes=cityscapes&every=100`);
  for (const item of dataset.items) {
    const { labels, width, height } = await readSample(dataset, item);
    expect(labels).toHaveLength(width * height);
  }
});
