import sharp from "sharp";
import { expect, test } from "vitest";
import { random } from "../../engine/tensor/random.js";
import { nearestMap, scaledLevels } from "./scale.js";

test("scaling agrees with what training does, to a level", async () => {
  const draw = random("scale");
  const [width, height] = [61, 43];
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
    Math.round(127 + 90 * Math.sin(i / 37) + 30 * draw.uniform()),
  );
  for (const to of [
    { width: 30, height: 21 },
    { width: 17, height: 12 },
    { width: 67, height: 47 },
    { width: 122, height: 86 },
    { width: 200, height: 141 },
  ]) {
    const wanted = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .resize(to.width, to.height, { fit: "fill", kernel: "linear" })
      .raw()
      .toBuffer();
    const found = scaledLevels({ rgb, width, height }, to);
    expect([found.width, found.height, found.rgb.length]).toEqual([to.width, to.height, wanted.length]);
    const apart = [...found.rgb].map((value, i) => Math.abs(Math.round(value) - wanted[i]!));
    expect(Math.max(...apart)).toBeLessThanOrEqual(1);
  }
});

test("scaling up is linear between pixels, each of the result over its left edge", () => {
  const grey = (...levels: number[]): number[] => levels.flatMap((level) => [level, level, level]);
  const { rgb } = scaledLevels({ rgb: Uint8Array.from(grey(0, 200)), width: 2, height: 1 }, { width: 4, height: 1 });
  expect([...rgb]).toEqual(grey(0, 0, 100, 200));
});

test("an image of the right size is left as it is", () => {
  const image = { rgb: new Uint8Array(12), width: 2, height: 2 };
  expect(scaledLevels(image, { width: 2, height: 2 }).rgb).toBe(image.rgb);
});

test("maps take the nearest pixel: doubled, each value is there four times", () => {
  const from = { width: 2, height: 1 };
  expect([...nearestMap(Uint8Array.of(3, 7), from, { width: 4, height: 2 })]).toEqual([3, 3, 7, 7, 3, 3, 7, 7]);
  expect([...nearestMap(Float32Array.of(1, 2, 3, 4, 5), { width: 5, height: 1 }, { width: 2, height: 1 })]).toEqual([
    2, 4,
  ]);
});
