import { deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { encode } from "fast-png";
import sharp from "sharp";
import { expect, test } from "vitest";
import { chunk, type MadePng, makePng } from "../../../test/makePng.js";
import { DataError } from "./dataError.js";
import { decodePng } from "./png.js";

const inflate = (bytes: Uint8Array, most: number): Uint8Array => inflateSync(bytes, { maxOutputLength: most });
const decode = (bytes: Uint8Array) => decodePng(bytes, "a.png", inflate);

/** Values that use every bit, in an order that is not smooth. */
function noise(count: number, depth: number): number[] {
  return Array.from({ length: count }, (_, i) => (i * 40503 + (i >> 3) * 7) % 2 ** depth);
}

const kinds: readonly Pick<MadePng, "type" | "depth">[] = [
  ...[1, 2, 4, 8, 16].map((depth) => ({ type: 0 as const, depth })),
  ...[1, 2, 4, 8].map((depth) => ({ type: 3 as const, depth })),
  ...[8, 16].flatMap((depth) => [2 as const, 4 as const, 6 as const].map((type) => ({ type, depth }))),
];

test.each(kinds)(
  "values of colour type $type with $depth bits come back exactly, interlaced or not, with every filter",
  ({ type, depth }) => {
    const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type];
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [13, 11],
      [1, 9],
      [33, 5],
    ] as const) {
      for (const interlaced of [false, true]) {
        for (const filters of [[0], [1], [2], [3], [4], [4, 1, 2, 3, 0]]) {
          const values = noise(width * height * channels, depth);
          // Two indices of one colour, as the palette of Cityscapes has.
          const palette = type === 3 ? { palette: Array.from({ length: 2 ** depth }, () => [9, 9, 9] as const) } : {};
          const made = makePng({ width, height, type, depth, values, interlaced, filters, ...palette });
          const decoded = decode(made);
          expect([...decoded.values]).toEqual(values);
          expect(decoded).toMatchObject({ width, height, depth, channels, interlaced });
        }
      }
    }
  },
);

test("a palette with transparency still gives indices, and its colours", () => {
  const png = makePng({
    width: 3,
    height: 1,
    depth: 2,
    type: 3,
    values: [2, 0, 1],
    palette: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
    transparency: [0, 128],
  });
  expect(decode(png)).toMatchObject({
    values: Uint8Array.of(2, 0, 1),
    palette: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
  });
});

test("files of two other encoders decode to what was written", async () => {
  const values = Uint8Array.from(noise(64 * 48, 8));
  expect(decode(encode({ width: 64, height: 48, data: values, channels: 1, depth: 8 })).values).toEqual(values);
  const raw = { raw: { width: 64, height: 48, channels: 1 } } as const;
  const progressive = await sharp(values, raw)
    .toColourspace("b-w")
    .png({ progressive: true, adaptiveFiltering: true })
    .toBuffer();
  const decoded = decode(progressive);
  expect(decoded).toMatchObject({ interlaced: true, values });
});

test("pixels that inflate to too little or too much are refused", () => {
  const good = makePng({ width: 4, height: 4, depth: 8, type: 0, values: noise(16, 8) });
  const head = good.subarray(0, 33);
  const tail = chunk("IEND", Buffer.alloc(0));
  for (const [bytes, message] of [
    [19, "inflate to 19 bytes, wanted 20"],
    [1_000_000, "do not inflate"],
  ] as const) {
    const png = Buffer.concat([head, chunk("IDAT", deflateSync(Buffer.alloc(bytes))), tail]);
    expect(() => decode(png)).toThrow(message);
  }
});

test("a wrong checksum, a cut and a text file are each called what they are", () => {
  const good = makePng({ width: 4, height: 4, depth: 8, type: 0, values: noise(16, 8) });
  const flipped = Buffer.from(good);
  flipped[good.length - 20]! ^= 1;
  expect(() => decode(flipped)).toThrow(/a.png: a damaged PNG: the checksum of chunk "IDAT" is wrong/);
  expect(() => decode(good.subarray(0, good.length - 30))).toThrow("cut off");
  expect(() => decode(good.subarray(0, 20))).toThrow("header is cut off");
  expect(() => decode(Buffer.from("hello, world"))).toThrow("not a PNG: it starts with 68 65 6c 6c");
  expect(() => decode(new Uint8Array(0))).toThrow("empty");
});

test("a bomb of 900 million pixels is refused from its header: nothing behind it is looked at", () => {
  const bomb = makePng({ width: 1, height: 1, depth: 1, type: 0, values: [0] });
  bomb.writeUInt32BE(30_000, 16);
  bomb.writeUInt32BE(30_000, 20);
  expect(() => decode(bomb)).toThrow("says it is 30000 x 30000 pixels");
  const [signature, header] = [8, 25];
  expect(() => decode(bomb.subarray(0, signature + header))).toThrow("says it is 30000 x 30000 pixels");
});

test("whatever is done to the bytes, there is an error of ours or an image of the announced size", () => {
  const good = makePng({
    width: 9,
    height: 7,
    depth: 4,
    type: 3,
    values: noise(63, 4),
    interlaced: true,
    palette: Array(16).fill([1, 2, 3]),
  });
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(good.length - 1), to: fc.nat(255) }), { maxLength: 6 }),
      fc.nat(good.length),
      fc.boolean(),
      (edits, length, mendChecksums) => {
        const bytes = Buffer.from(good.subarray(0, length));
        for (const { at, to } of edits) if (at < bytes.length) bytes[at] = to;
        try {
          const { width, height, channels, values } = decode(mendChecksums ? mended(bytes) : bytes);
          expect(values.length).toBe(width * height * channels);
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      },
    ),
    { numRuns: 20_000 },
  );
});

/** With checksums that fit again, so that edits reach the decoder behind them. */
function mended(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 8)];
  let offset = 8;
  while (offset + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(offset);
    if (offset + 12 + length > bytes.length) break;
    parts.push(
      chunk(bytes.toString("latin1", offset + 4, offset + 8), bytes.subarray(offset + 8, offset + 8 + length)),
    );
    offset += 12 + length;
  }
  return Buffer.concat([...parts, bytes.subarray(offset)]);
}
