import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { accuracyOfDetection, fBeta } from "../../metrics/atThreshold.js";
import { allPairsAuroc, everyThreshold, type Pixel, stepAveragePrecision } from "../../metrics/testing/reference.js";
import { studyShift } from "./studyShift.js";
import { pixels, type WrittenResult, writtenRun } from "./testing/writtenRun.js";

const on = (place: string) => `scenes:${place}?split=test&seed=101`;
const target = (place: string) => `scenes:${place}?split=train&seed=7`;
const result = (place: string, method: string, image: Pixel[], gamma?: number): WrittenResult => ({
  dataset: on(place),
  method,
  images: [image],
  ...(gamma !== undefined && { gamma }),
});

const good = pixels([0.1, 0.2, 0.35], [0.3]); // accuracy 3/4
const poor = pixels([0.1, 0.5], [0.2, 0.6]); // 1/2
const bad = pixels([0.4], [0.3, 0.2, 0.9]); // 1/4

test("E-12: changes of each measure are 100·(b/a - 1), from values by slow loops", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [
      result("town", "gamma-ssl", good, 0.25),
      result("forest", "gamma-ssl", poor, 0.25),
    ]);
    const { rows } = await studyShift([run], { order: ["town", "forest"] });
    const best = (image: Pixel[], of: typeof accuracyOfDetection) => Math.max(...everyThreshold(image).map(of));
    const change = (of: (image: Pixel[]) => number) => expect.closeTo(100 * (of(poor) / of(good) - 1), 9);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      from: on("town"),
      to: on("forest"),
      kind: "method",
      accuracy: expect.closeTo(-100 / 3, 9),
      auroc: change(allPairsAuroc),
      aupr: change(stepAveragePrecision),
      maxAmd: change((image) => best(image, accuracyOfDetection)),
      maxF05: change((image) => best(image, (counts) => fBeta(counts))),
      // At 0.25: 3 of 4 pixels in the town, 2 of 4 in the forest.
      atGamma: expect.closeTo(-100 / 3, 9),
    });
  }));

test("the mean of a family is the mean of its changes, below its methods; others have none", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [
      result("town", "vim", good),
      result("forest", "vim", poor),
      result("town", "max-softmax", poor),
      result("forest", "max-softmax", good),
      result("town", "gamma-ssl", good),
      result("forest", "gamma-ssl", bad),
    ]);
    const { rows, tables } = await studyShift([run], { order: ["town", "forest"] });
    expect(rows.map(({ kind, method, accuracy }) => [kind, method, accuracy!.toFixed(3)])).toEqual([
      ["method", "max-softmax", "50.000"],
      ["method", "vim", "-33.333"],
      ["mean", "mean representation", "8.333"], // not 0, the change of the means
      ["method", "gamma-ssl", "-66.667"],
    ]);
    expect(tables[0]!.rows.map(({ cells }) => cells[1])).toEqual(["+50.0", "-33.3", "+8.3", "-66.7"]);
    expect(tables[0]!.head).not.toContain("A_MD at γ"); // nobody has one
  }));

test("steps go through the data sets in the order given, or as found with a note", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [
      ...[result("town", "m", good), result("forest", "m", poor), result("highland", "m", bad)],
    ]);
    const notes: string[] = [];
    const steps = async (order?: string[]) =>
      (await studyShift([run], { order, onNote: (note) => void notes.push(note) })).rows.map(
        ({ from, to, accuracy }) => `${from} ${to} ${Math.round(accuracy!)}`,
      );
    expect(await steps(["town", "forest", "highland"])).toEqual([
      `${on("town")} ${on("forest")} -33`,
      `${on("forest")} ${on("highland")} -50`,
    ]);
    expect(notes).toEqual([]);
    expect(await steps()).toEqual([`${on("forest")} ${on("highland")} -50`, `${on("highland")} ${on("town")} 200`]);
    expect(notes).toEqual([expect.stringContaining("--order")]);
    await expect(steps(["town", "mars"])).rejects.toMatchObject({ message: 'there are no results on "mars"' });
    await expect(steps(["town"])).rejects.toThrow("nothing to compare it with");
  }));

test("T-6: of several runs, each data set takes the one adapted to it; runs that are alike get a row each", () =>
  withFolder(async (folder) => {
    const both = (town: Pixel[], forest: Pixel[]) => [
      result("town", "gamma-ssl", town),
      result("forest", "gamma-ssl", forest),
    ];
    const a = await writtenRun(join(folder, "a"), both(good, bad), [target("town")]);
    const b = await writtenRun(join(folder, "b"), both(bad, poor), [target("forest")]);
    const order = ["town", "forest"];
    const joined = await studyShift([a, b], { order });
    expect(joined.rows).toEqual([
      expect.objectContaining({ method: "gamma-ssl", fromRun: "a", toRun: "b", accuracy: expect.closeTo(-100 / 3, 9) }),
    ]);
    const c = await writtenRun(join(folder, "c"), both(good, good), [target("town")]);
    const apart = await studyShift([a, b, c], { order });
    expect(apart.rows.map(({ method, accuracy }) => [method, Math.round(accuracy!)])).toEqual([
      ["gamma-ssl (a)", -67],
      ["gamma-ssl (b)", 100],
      ["gamma-ssl (c)", 0],
    ]);
  }));

test("one data set, or methods that have no two in a row, are refused", () =>
  withFolder(async (folder) => {
    const one = await writtenRun(join(folder, "one"), [result("town", "m", good)]);
    await expect(studyShift([one])).rejects.toThrow("nothing to compare it with");
    const apart = await writtenRun(join(folder, "apart"), [result("town", "m", good), result("forest", "n", good)]);
    await expect(studyShift([apart])).rejects.toThrow("no method has results on two data sets");
  }));
