import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeNpy, halfFloat, parseNpyHead } from "./npy.js";
import { npyBytes } from "./testing/npyBytes.js";

const values = (bytes: Uint8Array): number[] => {
  const head = parseNpyHead(bytes, "a.npy");
  return [...decodeNpy(bytes.subarray(head.offset), head.element)];
};

test("every kind of number comes back, in all three versions of the format", () => {
  const cases: [string, ArrayBufferView, number[]][] = [
    ["|u1", Uint8Array.of(0, 255), [0, 255]],
    ["|b1", Uint8Array.of(0, 1), [0, 1]],
    ["<u2", Uint16Array.of(1, 65535), [1, 65535]],
    ["<u4", Uint32Array.of(1, 4294967295), [1, 4294967295]],
    ["|i1", Int8Array.of(-1, 5), [-1, 5]],
    ["<i2", Int16Array.of(-1, 300), [-1, 300]],
    ["<i4", Int32Array.of(-100, 7), [-100, 7]],
    ["<i8", BigInt64Array.of(-1n, 18n), [-1, 18]],
    ["<u8", BigUint64Array.of(3n, 18n), [3, 18]],
    ["<f2", Uint16Array.of(0x3c00, 0xc000), [1, -2]],
    ["<f4", Float32Array.of(0.5, -0.25), [0.5, -0.25]],
    ["<f8", Float64Array.of(0.1, Number.NaN), [0.1, Number.NaN]],
  ];
  for (const [descr, data, expected] of cases) {
    for (const version of [1, 2, 3] as const) expect(values(npyBytes(descr, [2], data, { version }))).toEqual(expected);
  }
});

test("big-endian numbers are turned around", () => {
  expect(values(npyBytes(">u2", [2], Uint8Array.of(1, 0, 0, 2)))).toEqual([256, 2]);
  expect(values(npyBytes(">f4", [1], Uint8Array.of(0x3f, 0x80, 0, 0)))).toEqual([1]);
});

test("half floats follow the standard: zeros, smallest, largest, infinities, NaN", () => {
  expect([0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x3555].map(halfFloat)).toEqual([
    0,
    -0,
    2 ** -24,
    1023 * 2 ** -24,
    2 ** -14,
    65504,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    0.333251953125,
  ]);
});

test("what is not a plain array in C order is refused, and says why", () => {
  const data = new Uint8Array(8);
  expect(() => parseNpyHead(npyBytes("|O", [1], data), "a.npy")).toThrow('type "|O" are not read');
  expect(() => parseNpyHead(npyBytes("<c8", [1], data), "a.npy")).toThrow("are not read");
  expect(() => parseNpyHead(npyBytes("<f4", [2], data, { fortran: true }), "a.npy")).toThrow("Fortran order");
  expect(() => parseNpyHead(new TextEncoder().encode("not an array at all"), "a.npy")).toThrow("is not an .npy file");
  expect(() => parseNpyHead(npyBytes("<f4", [2], data).subarray(0, 40), "a.npy")).toThrow("ends within its head");
});

test("whatever the bytes are, a head is read or refused by name", () => {
  const good = npyBytes("<f4", [2, 3], new Float32Array(6));
  const damaged = fc.array(fc.tuple(fc.nat({ max: 127 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(damaged, fc.nat({ max: good.length }), (changes, length) => {
      const bytes = good.slice(0, length);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      try {
        expect(parseNpyHead(bytes, "a.npy").shape.every((size) => Number.isSafeInteger(size))).toBe(true);
      } catch (error) {
        expect((error as Error).name).toBe("UserError");
        expect((error as Error).message).toMatch(/^a\.npy: /);
      }
    }),
    { numRuns: 2000 },
  );
});
