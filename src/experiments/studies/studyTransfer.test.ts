import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { sameDomain } from "../../data/datasets/sameDomain.js";
import { studyTransfer } from "./studyTransfer.js";
import { pixels, writtenRun } from "./testing/writtenRun.js";

const on = (place: string) => `scenes:${place}?split=test&count=1&seed=101`;
const target = (place: string) => `scenes:${place}?split=train&count=200&seed=7`;
/** F0.5 is best at 0.2, where it is 1. */
const town = { dataset: on("town"), method: "gamma-ssl", images: [pixels([0.1, 0.2], [0.3])] };
/** Best at 0.1, where it is 1.25 / (1.25 + 0.25) = 5/6; at 0.2 it is 1.25 / (1.25 + 1 + 0.25) = 1/2. */
const forest = { dataset: on("forest"), method: "gamma-ssl", images: [pixels([0.1, 0.3], [0.2, 0.25])] };

test("H-4: the best threshold of the own domain loses 40 % of F0.5 in the other, by hand", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(join(folder, "mine"), [town, forest], [target("town")]);
    const { rows, csv, files, tables } = await studyTransfer([run]);
    expect(rows).toEqual([
      expect.objectContaining({
        run: "mine",
        method: "gamma-ssl",
        own: on("town"),
        dataset: on("town"),
        maxF05: 1,
        f05: 1,
        changePercent: 0,
      }),
      expect.objectContaining({ dataset: on("forest"), threshold: Math.fround(0.2), f05: 0.5 }),
    ]);
    expect(rows[1]!.maxF05).toBeCloseTo(5 / 6, 12);
    expect(rows[1]!.changePercent).toBeCloseTo(-40, 9);
    expect(tables[0]!.rows.map(({ cells }) => cells)).toEqual([
      ["scenes:town", "1.0000", "1.0000", "0.000 %"],
      ["scenes:forest", "0.8333", "0.5000", "-40.000 %"],
    ]);
    expect(files).toEqual([join(run, "studies", "transfer.csv")]);
    expect(await readFile(files[0]!, "utf8")).toBe(csv);
  }));

test("the last target is the own domain; --own names another", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [town, forest], [target("town"), target("forest")]);
    const { rows } = await studyTransfer([run]);
    // At 0.1 the town keeps one of its two right pixels: 1.25 / (1.25 + 0.25) = 5/6.
    expect(rows.map(({ dataset, f05 }) => [dataset, Number(f05.toFixed(4))])).toEqual([
      [on("forest"), 0.8333],
      [on("town"), 0.8333],
    ]);
    expect((await studyTransfer([run], { own: "town" })).rows[0]!.dataset).toBe(on("town"));
    await expect(studyTransfer([run], { own: "scenes" })).rejects.toThrow('"scenes" is in the names of 2 data sets');
    await expect(studyTransfer([run], { own: "twon" })).rejects.toThrow('no results on "twon"');
  }));

test("specs are of one domain where they differ in the choice of images and labels alone", () => {
  expect(sameDomain("scenes:town?split=train&seed=1", "scenes:town?seed=2&split=test&classes=cityscapes")).toBe(true);
  expect(sameDomain("scenes:town", "scenes:forest")).toBe(false);
  expect(sameDomain("sax:/data/sax?domain=london&split=train", "sax:/data/sax/?split=test&domain=london")).toBe(true);
  expect(sameDomain("sax:/data/sax?domain=london", "sax:/data/sax?domain=scotland")).toBe(false);
  expect(sameDomain("comma10k:/data", "comma10k:/data?light=night")).toBe(false);
  expect(sameDomain("bdd:/data?set=100k&unlabelled=true", "bdd:/data?set=10k&labels=colours")).toBe(true);
  expect(sameDomain("folder:/frames", "folder:/labelled?images=img&labels=gt")).toBe(false);
  expect(sameDomain("labelled", "folder:labelled?images=img&labels=gt")).toBe(true);
  expect(sameDomain("x?images=day", "folder:x?images=night&labels=gt")).toBe(false);
  expect(sameDomain("town", "town")).toBe(false); // no specs: scored predictions may have any name
});

test("what has no own domain or no other is refused with what to do", () =>
  withFolder(async (folder) => {
    const away = await writtenRun(join(folder, "away"), [town, forest], [target("highland")]);
    await expect(studyTransfer([away])).rejects.toMatchObject({
      message: expect.stringContaining(`its last target is ${target("highland")}, which none of its data sets matches`),
      hint: expect.stringContaining("--own"),
    });
    const again = { ...town, dataset: `${on("town")}&limit=1` };
    const twice = await writtenRun(join(folder, "twice"), [town, again], [target("town")]);
    await expect(studyTransfer([twice])).rejects.toThrow("which 2 of its data sets match");
    const scored = await writtenRun(join(folder, "scored"), [town, forest]);
    await expect(studyTransfer([scored])).rejects.toThrow("it was adapted to no target");
    const single = await writtenRun(join(folder, "single"), [town], [target("town")]);
    await expect(studyTransfer([single])).rejects.toThrow(`results on one data set, ${on("town")}`);
  }));

test("a method without a result on the own domain is left out with a note", () =>
  withFolder(async (folder) => {
    const vim = { ...forest, method: "vim" };
    const run = await writtenRun(folder, [town, forest, vim], [target("town")]);
    const notes: string[] = [];
    const { rows } = await studyTransfer([run], { onNote: (note) => void notes.push(note) });
    expect(new Set(rows.map(({ method }) => method))).toEqual(new Set(["gamma-ssl"]));
    expect(notes).toEqual([expect.stringContaining("vim of")]);
    await expect(studyTransfer([run], { methods: ["vim"], own: "forest" })).rejects.toThrow("results on one data set");
  }));
