import { decode } from "fast-png";
import { expect, test } from "vitest";
import { random } from "../engine/tensor/random.js";
import { encodeImages, type Shown } from "./encodeImages.js";

/** Noise, which no image format can make small. */
function noisy(id: string, width: number, height: number): Shown {
  const chance = random(id);
  const bytes = Uint8Array.from({ length: width * height }, () => chance.below(20));
  const codes = Uint16Array.from({ length: width * height }, () => chance.below(65281));
  const example = { id, width, height, jpeg: null, labels: bytes, predicted: bytes, codes };
  return { id, methods: [{ example, accuracy: 0.5, auroc: 0.5, confused: [] }, null] };
}

const bytesOf = (address: string): Uint8Array => Buffer.from(address.split(",")[1]!, "base64");

test("images that fit are shown at their own size, pixel by pixel", async () => {
  const shown = noisy("a", 100, 50);
  const [example] = await encodeImages([shown], 1e6);
  expect(example).toMatchObject({ id: "a", width: 100, height: 50, image: null });
  const { labels, codes } = shown.methods[0]!.example;
  expect(decode(bytesOf(example!.labels)).data).toEqual(labels);
  const levels = decode(bytesOf(example!.methods[0]!.levels)).data;
  expect(levels).toEqual(Uint8Array.from(codes, (code) => Math.ceil(code / 256)));
  expect(example!.methods[1]).toBeNull();
});

test("images that do not fit are thinned until they do, and each pixel is still one that was there", async () => {
  const shown = Array.from({ length: 6 }, (_, k) => noisy(`image ${k}`, 700, 350));
  const examples = await encodeImages(shown, 600_000);
  expect(JSON.stringify(examples).length).toBeLessThan(600_000);
  expect(examples[0]!.width).toBeLessThan(300);
  expect(Math.max(...decode(bytesOf(examples[0]!.labels)).data)).toBeLessThan(20);
});
