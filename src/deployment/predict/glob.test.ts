import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { withFolder, writeFiles } from "../../../test/folders.js";
import { globbed, isGlob } from "./glob.js";

test("stars stay within a name, two of them cross folders, and what is no file is passed over", () =>
  withFolder(async (folder) => {
    await writeFiles(folder, { "a.jpg": "", "b.png": "", "b.jpg": "", "x/c.jpg": "", "x/y/d.jpg": "", "x.jpg/e": "" });
    const found = async (pattern: string) =>
      (await globbed(`${folder}/${pattern}`)).map((file) => file.slice(folder.length + 1));
    expect(await found("*.jpg")).toEqual(["a.jpg", "b.jpg"]);
    expect(await found("?.png")).toEqual(["b.png"]);
    expect(await found("x/*.jpg")).toEqual(["x/c.jpg"]);
    expect(await found("**/*.jpg")).toEqual(["a.jpg", "b.jpg", "x/c.jpg", "x/y/d.jpg"]);
    expect(await found("*/*/d.*")).toEqual(["x/y/d.jpg"]);
    expect(await found("none*")).toEqual([]);
  }));

test("a pattern may begin with ./, with .. or with nothing, and hold // and folders that go up again", () =>
  withFolder(async (folder) => {
    await writeFiles(folder, { "frames/a.jpg": "", "other/b.jpg": "" });
    const here = relative(process.cwd(), folder);
    for (const root of [`./${here}`, here, `${folder}/other/..`, `${folder}/`]) {
      expect(await globbed(`${root}/frames/*.jpg`), root).toEqual([join(root, "frames/a.jpg")]);
      expect(await globbed(`${root}/*/*.jpg`), root).toHaveLength(2);
    }
    expect(await globbed("./package*.json")).toEqual(["package-lock.json", "package.json"]);
  }));

test("letters that mean something to others mean themselves", () =>
  withFolder(async (folder) => {
    await writeFiles(folder, { "a(1)+.jpg": "", "aa1.jpg": "" });
    expect((await globbed(`${folder}/a(1)+*`)).length).toBe(1);
    expect(isGlob("plain.jpg")).toBe(false);
  }));
