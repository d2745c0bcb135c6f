import { join } from "node:path";
import { expect, test } from "vitest";
import { colourMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { makePng } from "../../../test/makePng.js";
import { UNKNOWN_LABEL, VOID_LABEL } from "../labels/labelSpace.js";
import { openDataset } from "../open/openDataset.js";
import { readClasses } from "./classesFile.js";
import { readSample } from "./readSample.js";

async function read(content: unknown, name = "classes.json") {
  return withFolder(async (root) => {
    await writeFiles(root, { [name]: typeof content === "string" ? content : JSON.stringify(content) });
    return readClasses(join(root, name));
  });
}

test("ids, unknown and void of a classes.json become a rule", async () => {
  const { classes, rule } = await read({
    name: "yard",
    classes: [
      { name: "ground", colour: "#102030", ids: [1, 2] },
      { name: "plant", colour: [0, 255, 0], ids: [7] },
    ],
    unknown: [9],
    void: [0, 255],
  });
  expect(classes).toEqual({
    name: "yard",
    classes: [
      { name: "ground", colour: [16, 32, 48] },
      { name: "plant", colour: [0, 255, 0] },
    ],
  });
  expect(rule).toEqual({
    kind: "ids",
    meaning: { 1: 0, 2: 0, 7: 1, 9: UNKNOWN_LABEL, 0: VOID_LABEL, 255: VOID_LABEL },
  });
});

test("colours may be spelled as text or as numbers; a class is by default drawn as it is labelled", async () => {
  const { rule } = await read({
    kind: "colours",
    classes: [
      { name: "a", colour: "#FF0000" },
      { name: "b", colour: "#00ff00", colours: [[0, 0, 1], "000002"] },
    ],
    void: ["000000"],
  });
  expect(rule.meaning).toEqual({ ff0000: 0, "000001": 1, "000002": 1, "000000": VOID_LABEL });
});

test.each([
  ["no JSON", "{", "is not JSON"],
  ["no classes", {}, "classes is missing, wanted a list"],
  ["names where classes are wanted", { classes: ["road"] }, 'classes.0 is "road", wanted an object'],
  ["a key we do not know", { classes: [{ name: "a", color: "#000000" }] }, "classes.0"],
  ["an id twice", { classes: [{ name: "a", colour: "#000000", ids: [1] }], void: [1] }, "1 is listed twice"],
  ["an id beyond 16 bits", { classes: [{ name: "a", colour: "#000000", ids: [70000] }] }, "classes.0.ids.0"],
  [
    "colours among ids",
    { classes: [{ name: "a", colour: "#000000" }], void: ["ffffff"] },
    "but the file says the labels are ids",
  ],
  [
    "a name twice",
    {
      classes: [
        { name: "a", colour: "#000000" },
        { name: "a", colour: "#000001" },
      ],
    },
    'class "a" is listed twice',
  ],
])("a classes.json with %s is refused by name", async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test("a __proto__ in a classes.json pollutes nothing", async () => {
  await expect(
    read('{"__proto__": {"polluted": 1}, "classes": [{"name": "a", "colour": "#000000"}]}'),
  ).rejects.toThrow();
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("CVAT's labelmap.txt reads RGB and palette masks alike; background is void", () =>
  withFolder(async (root) => {
    const labelmap =
      "# label:color_rgb:parts:actions\nbackground:0,0,0::\nroad:128,64,128::\ncar:0,0,142:wheel,door:park\n";
    const palette = [
      [0, 0, 0],
      [0, 0, 142],
      [128, 64, 128],
    ] as const;
    await writeFiles(root, {
      "labelmap.txt": labelmap,
      "JPEGImages/1.png": await testImage(3, 1).png().toBuffer(),
      "JPEGImages/2.png": await testImage(3, 1, 1).png().toBuffer(),
      "SegmentationClass/1.png": colourMap(3, 1, [palette[2], palette[1], palette[0]]),
      "SegmentationClass/2.png": makePng({ width: 3, height: 1, depth: 2, type: 3, values: [2, 1, 0], palette }),
      "ImageSets/Segmentation/default.txt": "1\n2\n",
    });
    const dataset = await openDataset(`folder:${root}?images=JPEGImages&labels=SegmentationClass&split=default`);
    for (const item of dataset.items)
      expect([...(await readSample(dataset, item)).labels!]).toEqual([0, 1, VOID_LABEL]);
  }));

test("a broken line of a labelmap.txt is quoted", async () => {
  await expect(read("road:128,64\n", "labelmap.txt")).rejects.toThrow('line 1 is "road:128,64"');
  await expect(read("a:1,2,3::\nb:1,2,3::\n", "labelmap.txt")).rejects.toThrow("line 2 uses the colour 010203 again");
});

test("a labelmap.txt has lines that are shown in part, and at most a megabyte", async () => {
  const long = `road:1,2,3::\n${"x".repeat(900_000)}`;
  await expect(read(long, "labelmap.txt")).rejects.toThrow(/line 2 is "x{80}"$/);
  await expect(read("#".repeat(2 ** 20 + 1), "labelmap.txt")).rejects.toThrow("is larger than any file of its kind");
});
