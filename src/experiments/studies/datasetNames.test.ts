import { expect, test } from "vitest";
import { datasetCalled, shortNames } from "./datasetNames.js";

test("short names have the options that tell data sets apart, and no others", () => {
  const short = (...names: string[]) => [...shortNames(names).values()];
  expect(short("scenes:town?split=test&seed=1", "scenes:forest?split=test&seed=1")).toEqual([
    "scenes:town",
    "scenes:forest",
  ]);
  expect(
    short("sax:/d?domain=london&split=test", "sax:/d?domain=scotland&split=test", "kitti:/k?split=training"),
  ).toEqual(["sax:/d?domain=london", "sax:/d?domain=scotland", "kitti:/k"]);
  expect(short("scenes:town?seed=1", "scenes:town?seed=1&limit=2")).toEqual(["scenes:town", "scenes:town?limit=2"]);
  // The same options in another order cannot be told apart in short.
  expect(short("scenes:town?seed=1&limit=2", "scenes:town?limit=2&seed=1")).toEqual([
    "scenes:town?seed=1&limit=2",
    "scenes:town?limit=2&seed=1",
  ]);
  expect(short("my predictions")).toEqual(["my predictions"]);
});

test("a data set goes by its name or by a part that no other has", () => {
  const names = ["scenes:town?seed=1", "scenes:town?seed=12", "scenes:forest"];
  expect(datasetCalled("scenes:town?seed=1", names)).toBe("scenes:town?seed=1");
  expect(datasetCalled("forest", names)).toBe("scenes:forest");
  expect(() => datasetCalled("town", names)).toThrow('"town" is in the names of 2 data sets');
  expect(() => datasetCalled("mars", names)).toThrow('no results on "mars"');
});
