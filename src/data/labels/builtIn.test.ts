import { expect, test } from "vitest";
import { builtInLabellings, isLabellingName } from "./builtIn.js";
import { labellingFaults, labellingTable } from "./checkLabelling.js";
import { cityscapesIds, cityscapesTable } from "./cityscapes.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "./labelSpace.js";
import { saxIds, saxNames } from "./sax.js";

/** Classes that a data set cannot have. */
const without: Record<string, readonly string[]> = {
  "sax-ids": ["train"],
  "camvid-colours-as-cityscapes": ["terrain", "truck", "bicycle"],
  "camvid-ids-as-cityscapes": ["wall", "traffic light", "terrain", "truck", "bus", "train", "motorcycle", "bicycle"],
};

test.each(Object.entries(builtInLabellings))("every value of %s means a class, unknown or void", (name, labelling) => {
  expect(labellingFaults(labelling, { without: without[name] ?? [] })).toEqual([]);
});

test("every Cityscapes label id is mapped, and 255 besides", () => {
  expect(Object.keys(cityscapesIds.rule.meaning).map(Number)).toEqual([...Array(34).keys(), 255]);
  expect(cityscapesTable.filter(([, , , meaning]) => meaning < 254)).toHaveLength(19);
});

test("SAX names are alphabetical, so that a place in the list is an id", () => {
  expect(saxNames).toEqual([...saxNames].sort());
  expect(saxNames).toHaveLength(34);
  expect(saxIds.rule.meaning[saxNames.indexOf("Telephone Box")]).toBe(UNKNOWN_LABEL);
  expect(saxIds.rule.meaning[saxNames.indexOf("Ego_Car")]).toBe(VOID_LABEL);
});

test("the colours of Cityscapes that several labels share mean the class among them", () => {
  const { meaning } = builtInLabellings["cityscapes-colours"].rule;
  expect(meaning["999999"]).toBe(5);
  expect(meaning["000000"]).toBe(VOID_LABEL);
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
