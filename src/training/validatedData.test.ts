import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dirtyData, makeDirty } from "../../test/dirtyData.js";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { printable } from "../platform/printable.js";
import { openValidated, refuseChanges, unseenClasses } from "./validatedData.js";

test.each(dirtyData.map((dirty) => [dirty.name, dirty] as const))("before step 0: %s", (_, dirty) =>
  withFolder(async (root) => {
    const opened = openValidated(await makeDirty(root, dirty), { cache: join(root, "cache") });
    if (dirty.verdict !== "refused") return void (await opened);
    const message = await opened.then(
      () => "accepted",
      (error: Error) => error.message,
    );
    expect(message).toContain(`${dirty.code}: `);
    if (dirty.file !== undefined) expect(message).toContain(printable(join(root, dirty.file)));
  }),
);

test("a file that is written to after it was looked at is refused", () =>
  withFolder(async (root) => {
    const checked = await openValidated(await makeDirty(root, { ...dirtyData[0]!, make: async () => {} }), {
      cache: join(root, "cache"),
    });
    await refuseChanges(checked);
    await appendFile(join(root, "img/0.png"), "x");
    await expect(refuseChanges(checked)).rejects.toThrow(/is being changed:\n {2}file-changed: .*0\.png/);
  }));

test("classes that no image shows are named", () =>
  withFolder(async (root) => {
    const files = { "img/0.png": await testImage(32, 32).png().toBuffer(), "gt/0.png": idMap(32, 32, [0, 2, 255]) };
    const classes = ["road", "train", "sky"].map((name, id) => ({ name, colour: [9 * id, 0, 0], ids: [id] }));
    const meaning = { name: "tiny", kind: "ids", classes, void: [255] };
    await writeFiles(root, { ...files, "classes.json": JSON.stringify(meaning) });
    const checked = await openValidated(`folder:${root}?images=img&labels=gt`, { cache: join(root, "cache") });
    expect(unseenClasses(checked)).toMatch(/^class "train" never occurs in folder:.*: nothing can be learned about it/);
    const all = { ...checked, check: { ...checked.check, classes: checked.check.classes.filter((_, k) => k !== 1) } };
    expect(unseenClasses(all)).toBeNull();
  }));
