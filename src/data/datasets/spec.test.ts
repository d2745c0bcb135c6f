import fc from "fast-check";
import { expect, test } from "vitest";
import { knownHint, nearest } from "../../platform/nearest.js";
import { formatSpec, parseSpec } from "./spec.js";

test("a spec is a reader, a path and options", () => {
  const { reader, path, options } = parseSpec("camvid:data/cam vid?split=train+val&sequence=a%26b");
  expect([reader, path, [...options]]).toEqual([
    "camvid",
    "data/cam vid",
    [
      ["split", "train+val"],
      ["sequence", "a&b"],
    ],
  ]);
  expect(parseSpec("folder:C:\\frames").path).toBe("C:\\frames");
  for (const path of ["labelled", "C:\\frames", "../a b", "/x"])
    expect(parseSpec(path)).toEqual({ reader: "folder", path, options: new Map() });
  expect(parseSpec("frames?every=8")).toEqual(parseSpec("folder:frames?every=8"));
  expect([parseSpec("drive.mcap").reader, parseSpec("list.csv?split=val").reader]).toEqual(["mcap", "manifest"]);
});

test.each([
  ["", "names no path"],
  ["?limit=1", "names no path"],
  ["CamVid:data", "is not a data set spec"],
  ["folder:", "names no path"],
  ["folder:/x?limit", "is not key=value"],
  ["folder:/x?limit=", "is not key=value"],
  ["folder:/x?limit=1&limit=2", '"limit" is given twice'],
  ["folder:/x?limit=%", "a % that escapes nothing"],
  ["folder:/x\0y", "holds a NUL character"],
  ["folder:/x?a\u001b[2J=", "a\\x1b[2J="],
])("%j is refused", (text, message) => {
  expect(() => parseSpec(text)).toThrow(message);
});

test("formatting and parsing a spec gives it back", () => {
  const key = fc.stringMatching(/^[a-z-]{1,8}$/);
  const value = fc.string({ minLength: 1 }).filter((text) => !/[\0]/.test(text));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name }), (given) => {
      const spec = { reader: "folder", path: "/a b", options: new Map(given) };
      expect(parseSpec(formatSpec(spec))).toEqual(spec);
    }),
  );
});

test("the name that was meant is near in spelling, or begins alike", () => {
  const names = ["cityscapes", "camvid", "comma10k", "kitti", "folder"];
  expect(["cityscape", "camvdi", "comma", "kiti", "Folder"].map((name) => nearest(name, names))).toEqual([
    "cityscapes",
    "camvid",
    "comma10k",
    "kitti",
    "folder",
  ]);
  expect(nearest("imagenet", names)).toBeUndefined();
  expect(knownHint("kity", ["kitti"])).toBe('did you mean "kitti"? known: kitti');
});
