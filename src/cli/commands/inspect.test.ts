import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { typed } from "../terminal/testing/typed.js";

/** What the command prints, and its exit code. */
async function run(specs: readonly string[], root: string, ...flags: string[]) {
  const where = ["--to", join(root, "out"), "--cache", join(root, "cache")];
  const { out, code } = await typed("inspect", ...specs, ...where, "--sheet", "2", ...flags);
  return { text: out, code };
}

async function pairs(root: string, count: number): Promise<string> {
  for (let i = 0; i < count; i++) {
    await writeFiles(root, {
      [`img/${i}.png`]: await testImage(40, 32, i).png().toBuffer(),
      [`gt/${i}.png`]: idMap(40, 32, [0, 0, 13, 255]),
    });
  }
  return `folder:${root}?images=img&labels=gt&classes=cityscapes-train-ids`;
}

test("a clean data set is described, a page is written, and all is well", () =>
  withFolder(async (root) => {
    const { text, code } = await run([await pairs(root, 3)], root);
    expect(code).toBe(0);
    expect(text).toContain("3 images, labelled with cityscapes19");
    expect(text).toContain("sizes: 40 x 32 (3)");
    expect(text).toMatch(/road +50\.00 % +3/);
    expect(text).toMatch(/void +25\.00 % +3/);
    expect(text).toContain("no problems");
    expect(await readFile(join(root, "out", "contact-sheet.html"), "utf8")).toContain('<figure class="card">');
  }));

test("errors are named with their hints, the worst twenty, and the exit code is 1", () =>
  withFolder(async (root) => {
    const spec = await pairs(root, 30);
    for (let i = 0; i < 25; i++) await writeFiles(root, { [`gt/${i}.png`]: idMap(40, 32, [0, 7, 33]) });
    const { text, code } = await run([spec], root, "--sheet", "0");
    expect(code).toBe(1);
    expect(text).toContain("25 errors, 0 warnings");
    expect(text).toContain("error    label-value  ");
    expect(text).toContain(
      "gt/0.png: holds id 33 at (2, 0); listed are 0 to 18, 255. All its values are cityscapes-ids",
    );
    expect(text).toContain("hint: set classes=cityscapes-ids in the spec");
    expect(text).toContain("… and 5 more label-value");
    expect(existsSync(join(root, "out"))).toBe(false);
  }));

test("an image in an unlabelled and in a labelled set is a leak", () =>
  withFolder(async (root) => {
    const spec = await pairs(root, 2);
    const { text, code } = await run([spec, `folder:${root}/img?every=2`], root, "--sheet", "0");
    expect(code).toBe(1);
    expect(text).toContain("images in two of the data sets:");
    expect(text).toContain(`img/0.png: is in folder:${root}?images=img`);
    const apart = await run([spec, "scenes:town?count=1&width=64&height=32"], root, "--sheet", "0");
    expect(apart.text).toContain("no image is in two of the data sets");
  }));

test("unlabelled data sets with the same images are told of", () =>
  withFolder(async (root) => {
    await pairs(root, 2);
    const frames = `folder:${root}/img`;
    const { text, code } = await run([frames, frames], root, "--sheet", "0");
    expect(text).not.toContain("no image is in two of the data sets");
    expect(text).toContain(`content-twice  ${root}/img/0.png: 2 of the 2 images of ${frames} are in ${frames} too`);
    expect(code).toBe(0);
  }));

test("--json prints one document with everything in it", () =>
  withFolder(async (root) => {
    const { text } = await run([await pairs(root, 2)], root, "--json");
    const document: unknown = JSON.parse(text);
    expect(document).toMatchObject({
      datasets: [{ images: 2, labelled: true, values: { 0: 1280, 13: 640, 255: 640 }, problems: [] }],
      leaks: [],
      contactSheet: join(root, "out", "contact-sheet.html"),
    });
  }));
