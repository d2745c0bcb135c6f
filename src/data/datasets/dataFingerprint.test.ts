import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { openDataset } from "../open/openDataset.js";
import { dataFingerprint } from "./dataFingerprint.js";

test("a fingerprint changes with any byte of an image or label map, and not with where the files lie", () =>
  withFolder(async (root) => {
    const image = await testImage(8, 4).png().toBuffer();
    await writeFiles(root, { "one/img/a.png": image, "one/gt/a.png": idMap(8, 4, 1) });
    const fingerprint = async (name: string, more = "") =>
      dataFingerprint(
        await openDataset(`folder:${root}/${name}?images=img&labels=gt&classes=cityscapes-train-ids${more}`),
      );
    const before = await fingerprint("one");
    expect(await fingerprint("one", "&unlabelled=true")).not.toBe(before);
    await rename(join(root, "one"), join(root, "two"));
    expect(await fingerprint("two")).toBe(before);
    expect(idMap(8, 4, 2)).toHaveLength(idMap(8, 4, 1).length);
    await writeFiles(root, { "two/gt/a.png": idMap(8, 4, 2) });
    expect(await fingerprint("two")).not.toBe(before);
  }));
