import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { bomb } from "../../../test/dirtyData.js";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import type { DataError } from "./dataError.js";
import { imageFormat } from "./imageFormat.js";
import { decodeImage, readImage } from "./readImage.js";

/** Red, green, blue, white, black and grey in two rows of three, large enough to survive JPEG. */
const corners = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
  [0, 0, 0],
  [128, 128, 128],
] as const;
const rgb = Buffer.from(
  Array.from({ length: 48 * 32 }, (_, i) => corners[3 * Math.floor(i / 48 / 16) + Math.floor((i % 48) / 16)]!).flat(),
);
const chart = () => sharp(rgb, { raw: { width: 48, height: 32, channels: 3 } });

/** The middle of each patch. */
async function patches(bytes: Buffer): Promise<{ size: string; colours: number[][] }> {
  const { image } = await decodeImage(bytes, "a.jpg");
  const [columns, rows] = image.width > image.height ? [3, 2] : [2, 3];
  const colours = Array.from({ length: 6 }, (_, i) => {
    const x = Math.floor(((i % columns) + 0.5) * (image.width / columns));
    const y = Math.floor((Math.floor(i / columns) + 0.5) * (image.height / rows));
    return [...image.rgb.subarray(3 * (y * image.width + x), 3 * (y * image.width + x) + 3)];
  });
  return { size: `${image.width} x ${image.height}`, colours };
}

function expectNear(found: number[][], wanted: readonly (readonly number[])[], off: number): void {
  found.forEach((colour, i) => {
    colour.forEach((part, c) => {
      expect(Math.abs(part - wanted[i]![c]!), `patch ${i} is ${colour}, wanted ${wanted[i]}`).toBeLessThanOrEqual(off);
    });
  });
}

/** Where each patch of the chart lands, row by row, for each EXIF orientation. */
const landing: Readonly<Record<number, readonly number[]>> = {
  1: [0, 1, 2, 3, 4, 5],
  2: [2, 1, 0, 5, 4, 3],
  3: [5, 4, 3, 2, 1, 0],
  4: [3, 4, 5, 0, 1, 2],
  5: [0, 3, 1, 4, 2, 5],
  6: [3, 0, 4, 1, 5, 2],
  7: [5, 2, 4, 1, 3, 0],
  8: [2, 5, 1, 4, 0, 3],
};

test.each(Object.keys(landing).map(Number))("EXIF orientation %i is applied", async (orientation) => {
  const bytes = await chart()
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const { size, colours } = await patches(bytes);
  expect(size).toBe(orientation > 4 ? "32 x 48" : "48 x 32");
  expectNear(
    colours,
    landing[orientation]!.map((from) => corners[from]!),
    6,
  );
});

test("16 bits, transparency, a palette and interlacing change no colour", async () => {
  for (const image of [
    chart().toColourspace("rgb16").png(),
    chart().ensureAlpha(0.2).png(),
    chart().png({ palette: true }),
    chart().png({ progressive: true }),
    chart().webp({ lossless: true }),
    chart().tiff({ compression: "lzw" }),
  ]) {
    expectNear((await patches(await image.toBuffer())).colours, corners, 0);
  }
});

test("a grey image becomes three equal channels", async () => {
  const { image } = await decodeImage(await chart().greyscale().toColourspace("b-w").png().toBuffer(), "a.png");
  expect(image.rgb).toHaveLength(48 * 32 * 3);
  for (let i = 0; i < image.rgb.length; i += 3) expect(image.rgb[i]).toBe(image.rgb[i + 2]);
});

/** Colours that every profile can hold. */
const muted = rgb.map((part) => Math.round(part * 0.4 + 60));
const mutedCorners = corners.map((colour) => colour.map((part) => Math.round(part * 0.4 + 60)));
const mutedChart = () => sharp(muted, { raw: { width: 48, height: 32, channels: 3 } });

test("CMYK comes back as the colours that went in, within what print can hold", async () => {
  const bytes = await mutedChart().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
  expect((await sharp(bytes).metadata()).channels).toBe(4);
  expectNear((await patches(bytes)).colours, mutedCorners, 24);
});

test("a wide-gamut profile is applied, so that colours look as they were meant", async () => {
  const bytes = await mutedChart().withIccProfile("p3").png().toBuffer();
  // In the file they have other numbers: without the profile they would come out duller.
  const stored = await sharp(bytes).keepIccProfile().raw().toBuffer();
  expect(Math.abs(stored[1]! - muted[1]!)).toBeGreaterThan(4);
  expectNear((await patches(bytes)).colours, mutedCorners, 3);
});

test("of an animation the first frame is taken, and its number of frames told", async () => {
  const frames = Buffer.concat([Buffer.alloc(16 * 16 * 3, 10), Buffer.alloc(16 * 16 * 3, 250)]);
  const gif = await sharp(frames, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
    .gif()
    .toBuffer();
  const { image, header } = await decodeImage(gif, "a.gif");
  expect([image.width, image.height, header.frames]).toEqual([16, 16, 2]);
  expect(image.rgb[0]).toBeLessThan(20);
});

test("a bomb is refused from its header, without the memory its pixels would take", async () => {
  const bytes = bomb();
  expect(bytes.length).toBeLessThan(120_000);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 5; i++) {
    const error = await decodeImage(bytes, "bomb.png").catch((thrown: DataError) => thrown);
    expect(error).toMatchObject({ code: "image-too-large" });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
});

test("an image is read from its file, and a missing one is named", () =>
  withFolder(async (root) => {
    await writeFiles(root, { "a.webp": await testImage(12, 8).webp().toBuffer() });
    expect(await readImage(join(root, "a.webp"))).toMatchObject({ width: 12, height: 8 });
    await expect(readImage(join(root, "b.webp"))).rejects.toThrow("b.webp: is not there");
  }));

test("a side or a number of pixels that no camera has is refused from the header, in words that name both", async () => {
  for (const [width, height, why] of [
    [16_383, 16_383, "is 16383 x 16383 pixels, more than 67108864"],
    [50_000_000, 1, "is 50000000 x 1 pixels, more than 16384 along a side"],
    [1, 16_385, "is 1 x 16385 pixels, more than 16384 along a side"],
  ] as const) {
    const refused = decodeImage(bomb(width, height), "a.png");
    await expect(refused).rejects.toMatchObject({ code: "image-too-large", message: `a.png: ${why}` });
  }
});

test("an SVG reaches no decoder, whatever its name and whatever stands before it", async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="9" height="9"/></svg>',
  );
  for (const before of ["", "<?xml version='1.0'?>", "<!-- a -->\n"]) {
    const bytes = Buffer.concat([Buffer.from(before), svg]);
    await expect(decodeImage(bytes, "a.png")).rejects.toThrow("a.png: is SVG, not an image that can be read");
    await expect(sharp(bytes).metadata()).rejects.toThrow("unsupported image format");
  }
  // With the head of a format in front it is that format's decoder that refuses it.
  for (const head of [
    "\xff\xd8\xff\xe0",
    "\x89PNG\r\n\x1a\n",
    "GIF89a",
    "II*\0",
    "RIFFxxxxWEBP",
    "\0\0\0\x1cftypavif",
  ]) {
    const bytes = Buffer.concat([Buffer.from(head, "latin1"), svg]);
    await expect(decodeImage(bytes, "a.png"), head).rejects.toMatchObject({ code: "image-damaged" });
  }
});

test("each format is known by its first bytes, an AVIF also where it is not the first brand", async () => {
  for (const format of ["jpeg", "png", "webp", "gif", "tiff", "avif"] as const) {
    const bytes = await chart().toFormat(format).toBuffer();
    expect((await decodeImage(bytes, "a")).image, format).toMatchObject({ width: 48, height: 32 });
    expect(imageFormat(bytes)?.toLowerCase()).toBe(format);
  }
  const avif = await chart().avif().toBuffer();
  avif.write("mif1", 8, "latin1");
  expect(imageFormat(avif)).toBe("AVIF");
});
