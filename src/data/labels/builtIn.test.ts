import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInLabellings, isLabellingName } from "./builtIn.js";
import { labellingFaults, labellingTable, meaningName } from "./checkLabelling.js";
import { saxNames } from "./sax.js";

/** Classes that a data set cannot have. */
const without: Record<string, readonly string[]> = {
  "sax-ids": ["train"],
  "camvid-colours-as-cityscapes": ["terrain", "truck", "bus", "bicycle"],
  "camvid-ids-as-cityscapes": ["wall", "traffic light", "terrain", "truck", "bus", "train", "motorcycle", "bicycle"],
};

test.each(Object.entries(builtInLabellings))("every value of %s means a class, unknown or void", (name, labelling) => {
  expect(labellingFaults(labelling, { without: without[name] ?? [] })).toEqual([]);
});

/** Label spaces that have the values of another. */
const borrowed: Record<string, string> = {
  "kitti-ids": "cityscapes-ids",
  "wilddash1-ids": "cityscapes-ids",
  "bdd-train-ids": "cityscapes-train-ids",
};

/** A table of test/fixtures/labels: by value, its name, the class that its authors give it, and what it means to us. */
function publishedTable(name: string) {
  const file = join(import.meta.dirname, "../../../test/fixtures/labels", `${borrowed[name] ?? name}.csv`);
  const [head, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(head).toBe("value,name,published,meaning");
  return rows.map((row) => row.split(",") as [value: string, name: string, published: string, meaning: string]);
}

test.each(Object.entries(builtInLabellings))(
  "D-3: every value of %s means what its authors published",
  (name, labelling) => {
    const { meaning } = labelling.rule;
    const expected = Object.fromEntries(publishedTable(name).map(([value, , , ours]) => [value, ours]));
    const here = Object.entries(meaning).map(([value, one]) => [value, meaningName(labelling, one)]);
    expect(Object.fromEntries(here)).toEqual(expected);
  },
);

test("a value that its authors score as one of the 19 classes is that class", () => {
  for (const name of ["cityscapes-ids", "cityscapes-colours", "bdd-colours", "wilddash2-ids", "sax-ids"] as const) {
    const classes = builtInLabellings[name].classes.classes.map((one) => one.name as string);
    for (const [value, label, published, ours] of publishedTable(name)) {
      if (classes.includes(published))
        expect(`${name} ${value} ${label}: ${ours}`).toBe(`${name} ${value} ${label}: ${published}`);
      else expect(["unknown", "void"]).toContain(ours);
    }
  }
});

test("SAX names are in the order of their ids", () => {
  expect(saxNames).toEqual(publishedTable("sax-ids").map(([, name]) => name));
});

test("a labelling prints as a table", () => {
  expect(labellingTable(builtInLabellings["comma10k-colours"])).toBe(
    ["402020  road", "ff0000  lane marking", "808060  undrivable", "00ff66  movable", "cc00ff  void"].join("\n"),
  );
});

test("the validator names what is wrong", () => {
  const classes = {
    name: "two",
    classes: [
      { name: "a", colour: [0, 0, 0] },
      { name: "b", colour: [0, 0, 300] },
    ],
  } as const;
  expect(labellingFaults({ classes, rule: { kind: "ids", meaning: { 0: 0, "01": 255, 70000: 2 } } })).toEqual([
    'class "b" has the colour 0, 0, 300, wanted three whole numbers from 0 to 255',
    '"70000" is not an id from 0 to 65535',
    "70000 means class 2, but classes run from 0 to 1",
    '"01" is not an id from 0 to 65535',
    'no value means class 1, "b"',
  ]);
});

test("only our own names are label spaces", () => {
  expect(isLabellingName("cityscapes-ids")).toBe(true);
  expect(isLabellingName("__proto__")).toBe(false);
});
