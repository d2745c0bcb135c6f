import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { openDataset } from "../open/openDataset.js";
import { checkDataset } from "./checkDataset.js";
import { type Checked, findLeaks } from "./leaks.js";

async function checked(spec: string): Promise<Checked> {
  const dataset = await openDataset(spec);
  return { dataset, check: await checkDataset(dataset) };
}

const image = (seed: number): Promise<Buffer> => testImage(40, 32, seed).png().toBuffer();

test("the same image in an unlabelled and a labelled set is a leak, whatever it is called", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "target/a.png": await image(1),
      "target/b.png": await image(2),
      "test/img/x.png": await image(2),
      "test/img/y.png": await image(3),
      "test/gt/x.png": idMap(40, 32, 0),
      "test/gt/y.png": idMap(40, 32, 0),
    });
    const target = await checked(`folder:${root}/target`);
    const tested = await checked(`folder:${root}/test?images=img&labels=gt&classes=cityscapes-train-ids`);
    const leaks = await findLeaks(target, tested);
    expect(leaks).toMatchObject([{ severity: "error", code: "leak", file: join(root, "test/img/x.png") }]);
    expect(leaks[0]!.message).toContain(`is the same image as ${join(root, "target/b.png")} of folder:${root}/target`);
    expect(await findLeaks(target, target)).toEqual([]);
    expect(await findLeaks(tested, tested)).toHaveLength(2);
  }));

test("frames of one BDD video are a leak even if they are other frames", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "images/100k/test/0a0a0b1a-7c39d841.jpg": await image(1),
      "images/10k/test/ffffffff-7c39d841.jpg": await image(3),
      "images/10k/val/bbbbbbbb-11111111.jpg": await image(2),
      "labels/sem_seg/masks/val/bbbbbbbb-11111111.png": idMap(40, 32, 0),
      "copies/0a0a0b1a-7c39d841.png": await image(4),
      "copies/bbbbbbbb-11111111-2.png": await image(5),
    });
    const copies = await checked(`folder:${root}/copies`);
    const val = await checked(`bdd:${root}?split=val`);
    expect((await findLeaks(copies, val)).map(({ message }) => message)).toEqual([
      expect.stringContaining("both are BDD video bbbbbbbb-11111111"),
    ]);
    expect(await findLeaks(await checked(`bdd:${root}?set=100k&split=test`), val)).toEqual([]);
  }));

test("a raw KITTI drive that labelled frames come from is a leak; without the mapping we say that we cannot tell", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "training/image_2/000000_10.png": await image(1),
      "training/image_2/000001_10.png": await image(2),
      "training/semantic/000000_10.png": idMap(40, 32, 7),
      "training/semantic/000001_10.png": idMap(40, 32, 7),
      "raw/2011_09_26/2011_09_26_drive_0005_sync/image_02/data/0000000001.png": await image(3),
      "raw/2011_09_26/2011_09_26_drive_0009_sync/image_02/data/0000000001.png": await image(4),
    });
    const labelled = await checked(`kitti:${root}`);
    const raw = await checked(`folder:${root}/raw`);
    expect(await findLeaks(raw, labelled)).toMatchObject([{ severity: "warning", code: "drive-unknown" }]);
    await writeFiles(root, { "mapping/train_mapping.txt": "\n2011_09_26 2011_09_26_drive_0005_sync 0000000109\n" });
    const leaks = await findLeaks(raw, labelled);
    expect(leaks).toMatchObject([{ code: "leak", file: join(root, "training/image_2/000001_10.png") }]);
    expect(leaks[0]!.message).toContain("2011_09_26_drive_0005");
    // The kitti reader leaves such drives out by itself.
    expect(await findLeaks(await checked(`kitti:${root}?split=raw`), labelled)).toEqual([]);
  }));
