import fc from "fast-check";
import { expect, test } from "vitest";
import { annotationsOf, CocoFile } from "./coco.js";

/** As pycocotools decodes run lengths: column by column, outside first. */
function decoded({ size: [height, width], counts }: { size: readonly [number, number]; counts: readonly number[] }) {
  const columns = counts.flatMap((count, i) => Array<number>(count).fill(i % 2));
  return Array.from({ length: height * width }, (_, i) => columns[(i % width) * height + Math.floor(i / width)]);
}

test("the regions of an image give its certain labels back, with area and box", () => {
  const map = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      labels: fc.array(fc.constantFrom(0, 1, 4, 255), { minLength: width * height, maxLength: width * height }),
    }),
  );
  fc.assert(
    fc.property(map, ({ width, height, labels }) => {
      const found = annotationsOf({ name: "a.png", width, height, labels: Uint8Array.from(labels) }, 7, 20);
      const again = Array<number>(width * height).fill(255);
      for (const [i, one] of found.entries()) {
        expect([one.id, one.image_id, one.iscrowd]).toEqual([20 + i, 7, 1]);
        const mask = decoded(one.segmentation);
        const inside = [...mask.keys()].filter((at) => mask[at] === 1);
        for (const at of inside) again[at] = one.category_id - 1;
        expect(one.area).toBe(inside.length);
        const [xs, ys] = [inside.map((at) => at % width), inside.map((at) => Math.floor(at / width))];
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        expect(one.bbox).toEqual([left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1]);
      }
      expect(again).toEqual(labels);
    }),
    { seed: 8 },
  );
});

test("ids of images, categories and annotations are distinct and refer to each other", () => {
  const coco = new CocoFile([{ name: "road" }, { name: "sky" }]);
  for (const name of ["a.jpg", "b.jpg"]) coco.add({ name, width: 2, height: 1, labels: Uint8Array.of(0, 1) });
  const file = JSON.parse(coco.text) as Record<"categories" | "images" | "annotations", Record<string, unknown>[]>;
  expect(file.categories.map(({ id, name }) => [id, name])).toEqual([
    [1, "road"],
    [2, "sky"],
  ]);
  expect(file.images).toEqual([
    { id: 1, file_name: "a.jpg", width: 2, height: 1 },
    { id: 2, file_name: "b.jpg", width: 2, height: 1 },
  ]);
  expect(file.annotations.map((one) => [one.id, one.image_id, one.category_id])).toEqual([
    [1, 1, 1],
    [2, 1, 2],
    [3, 2, 1],
    [4, 2, 2],
  ]);
});
