import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testImage, withFolder } from "../../../test/folders.js";
import { hasEndlessExif } from "../images/exif.js";
import { decodeImage, readImage } from "../images/readImage.js";
import { parseCsv } from "./csv.js";

test("F6: a pipe, or a link to a device, in place of an image is refused at once", () =>
  withFolder(async (root) => {
    execFileSync("mkfifo", [join(root, "p.jpg")]);
    await symlink("/dev/zero", join(root, "z.jpg"));
    for (const name of ["p.jpg", "z.jpg"]) {
      await expect(readImage(join(root, name)), name).rejects.toMatchObject({
        code: "image-missing",
        message: `${join(root, name)}: is a pipe or a device`,
      });
    }
  }));

/** A JPEG with EXIF data: lists of entries (tag, value), at the places given. */
async function withExif(lists: Readonly<Record<number, readonly (readonly [number, number])[]>>): Promise<Buffer> {
  const jpeg = await testImage(32, 32).jpeg().toBuffer();
  const block = Buffer.alloc(65_000);
  block.write("II*\0", 0, "latin1");
  block.writeUInt32LE(8, 4);
  for (const [place, entries] of Object.entries(lists)) {
    block.writeUInt16LE(entries.length, Number(place));
    for (const [i, [tag, value]] of entries.entries()) {
      const at = Number(place) + 2 + 12 * i;
      block.writeUInt16LE(tag, at);
      block.writeUInt16LE(tag === ORIENTATION ? 3 : 4, at + 2);
      block.writeUInt32LE(1, at + 4);
      block.writeUInt32LE(value, at + 8);
    }
  }
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(block.length + 8, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from("Exif\0\0", "latin1"), block, jpeg.subarray(2)]);
}

const ORIENTATION = 0x0112;
const EXIF = 0x8769;

test("F7: EXIF data that leads to itself is refused before anybody follows it; a camera's is read", async () => {
  const own = Array.from({ length: 5000 }, () => [EXIF, 8] as const);
  const ring = { 8: [[EXIF, 100]], 100: [[EXIF, 200]], 200: [[EXIF, 8]] } as const;
  for (const bytes of [await withExif({ 8: own }), await withExif(ring)]) {
    await expect(decodeImage(bytes, "x.jpg")).rejects.toThrow("x.jpg: has EXIF data that leads to itself");
  }
  const camera = await withExif({
    8: [
      [ORIENTATION, 6],
      [EXIF, 100],
    ],
    100: [
      [0x9000, 1],
      [0xa005, 200],
    ],
    200: [[1, 1]],
  });
  expect((await decodeImage(camera, "x.jpg")).header.orientation).toBe(6);
  const webp = await testImage(32, 32)
    .webp()
    .withExif({ IFD0: { Make: "x" }, IFD3: { GPSLatitudeRef: "N" } })
    .toBuffer();
  const png = await testImage(32, 32)
    .png()
    .withExif({ IFD0: { Make: "x" } })
    .toBuffer();
  expect([webp, png].map(hasEndlessExif)).toEqual([false, false]);
});

test("F8: a cell of millions of quotes is read in one go", () => {
  const cell = 'ab"'.repeat(1_500_000);
  const { rows } = parseCsv(`image,labels\n${cell},x.png\n`, "m.csv", ["image"]);
  expect(rows[0]!.image).toBe(cell);
  expect(parseCsv('a,b\n  "x, ""y""" ,"" "z"\n', "m.csv", ["a"]).rows[0]).toMatchObject({ a: 'x, "y"', b: "z" });
});
