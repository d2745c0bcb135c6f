import { join } from "node:path";
import { expect, test } from "vitest";
import { dirtyData, makeDirty } from "../../test/dirtyData.js";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { resolveConfig } from "../runs/config.js";
import { placeRemarks, refuseLeaks, refuseSeen, seenRemarks } from "./roles.js";
import { openValidated } from "./validatedData.js";

test("an image that is learned from and measured on is refused", () =>
  withFolder(async (root) => {
    const labelled = await makeDirty(root, { ...dirtyData[0]!, make: async () => {} });
    const open = (spec: string) => openValidated(spec, { cache: join(root, "cache") });
    await expect(refuseLeaks(await open(`folder:${join(root, "img")}`), await open(labelled))).rejects.toThrow(
      /share images:\n {2}leak: .*0\.png/,
    );
  }));

test("a run is not measured on images of its source or of a target; a target that is gone is told of", () =>
  withFolder(async (root) => {
    for (const [name, seed] of [
      ["source", 1],
      ["target", 2],
      ["other", 3],
    ] as const) {
      const files = { "img/a.png": await testImage(64, 64, seed).png().toBuffer(), "gt/a.png": idMap(64, 64, [0, 1]) };
      await writeFiles(join(root, name), files);
    }
    const spec = (name: string) => `folder:${root}/${name}?images=img&labels=gt&classes=cityscapes-train-ids`;
    const open = (text: string) => openValidated(text, { cache: join(root, "cache") });
    const notes: string[] = [];
    const measured = async (on: string, targets = [spec("target")]) => {
      const config = resolveConfig({ method: "gamma-ssl", source: spec("source"), targets });
      await refuseSeen(config, [await open(spec(on))], { open, onNote: (note) => notes.push(note) });
    };
    await measured("other");
    await expect(measured("source")).rejects.toMatchObject({
      message: expect.stringMatching(/^training has seen images of folder:.*source.*\n {2}leak: /),
      hint: expect.stringContaining("--allow-seen"),
    });
    await expect(measured("target")).rejects.toThrow(/leak: .*target/);
    expect(notes).toEqual([]);
    await measured("other", [spec("gone")]);
    expect(notes).toEqual([expect.stringMatching(/^cannot tell which images folder:.*gone/)]);
  }));

test("images that a training has seen are told of, labelled or not; of others there is nothing to tell", () =>
  withFolder(async (root) => {
    for (const [name, seed] of [
      ["source", 1],
      ["target", 2],
      ["other", 3],
    ] as const) {
      const files = { "img/a.png": await testImage(64, 64, seed).png().toBuffer(), "gt/a.png": idMap(64, 64, [0, 1]) };
      await writeFiles(join(root, name), files);
    }
    const labelled = `folder:${root}/source?images=img&labels=gt&classes=cityscapes-train-ids`;
    const config = resolveConfig({ method: "gamma-ssl", source: labelled, targets: [`folder:${root}/target/img`] });
    const open = (text: string) => openValidated(text, { cache: join(root, "cache") });
    const told = async (name: string) =>
      seenRemarks(config, await open(`folder:${root}/${name}/img`), { open, onNote: () => {} });
    expect(await told("source")).toEqual([
      expect.stringMatching(/^the run was trained on 1 of these 1 images \(labelled/),
    ]);
    expect(await told("target")).toEqual([
      expect.stringMatching(/^the run was trained on 1 of these 1 images \(unlabelled/),
    ]);
    expect(await told("other")).toEqual([]);
  }));

test("numbers on images of the source say that they are not of the new place", () => {
  const about = (source: string, target: string, test: string, ablation: "no-ssl" | null = null) =>
    placeRemarks(resolveConfig({ method: "gamma-ssl", source, targets: [target], ablation }), test).length;
  expect(about("folder:own?every=2", "folder:new", "folder:own?except=2")).toBe(1);
  expect(about("cityscapes:data?split=train", "sax:data?domain=london", "cityscapes:data?split=val")).toBe(1);
  expect(about("folder:own", "folder:new", "folder:new?labels=gt")).toBe(0);
  expect(about("camvid:data?sequence=day", "camvid:data?sequence=dusk", "camvid:data?sequence=dusk&split=test")).toBe(
    0,
  );
  expect(about("scenes:city?split=train", "scenes:city?split=val", "scenes:city?split=test")).toBe(0); // its target, too
  expect(about("folder:own", "folder:new", "folder:own?every=2", "no-ssl")).toBe(0); // never adapted
});
