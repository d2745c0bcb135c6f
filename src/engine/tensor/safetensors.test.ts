import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../platform/errors.js";
import { float32, hostTensor, int64 } from "./hostTensor.js";
import { readSafetensors, writeSafetensors } from "./safetensors.js";

const sample = {
  weight: float32([2, 3], [1, 2, 3, 4, 5, 6]),
  labels: int64([2], [7, 255]),
  mask: hostTensor("bool", [3], Uint8Array.of(1, 0, 1)),
  empty: float32([0, 4], []),
  scalar: float32([], [0.5]),
};

test("what is written is read back, with its metadata", () => {
  const { tensors, metadata } = readSafetensors(writeSafetensors(sample, { step: "12" }), "x");
  expect(tensors).toEqual(sample);
  expect(metadata).toEqual({ step: "12" });
});

test("a Buffer, whose slices share their memory, is read like any other bytes", () => {
  const shifted = Buffer.concat([Buffer.from("xyz"), writeSafetensors(sample)]).subarray(3);
  expect(readSafetensors(shifted, "x").tensors).toEqual(sample);
});

const file = (header: unknown, data = new Uint8Array()): Uint8Array => {
  const json = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(data, 8 + json.length);
  return bytes;
};
const f32 = (from: number, to: number, shape: unknown = [(to - from) / 4]) => ({
  dtype: "F32",
  shape,
  data_offsets: [from, to],
});

describe("a damaged file is refused with a reason:", () => {
  test.each<[string, Uint8Array, string]>([
    ["too short", Uint8Array.of(1, 2), "has 2 bytes, too few for a header"],
    [
      "header beyond the end",
      Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 0),
      "declares a header of 18446744073709551615 bytes",
    ],
    ["not JSON", file("{nope"), "its header is not JSON"],
    ["not an object", file("[1]"), "its header is not an object"],
    [
      "unknown type",
      file({ w: { dtype: "F64", shape: [], data_offsets: [0, 8] } }, new Uint8Array(8)),
      'tensor "w" has element type "F64"',
    ],
    [
      "prototype key as type",
      file({ w: { dtype: "__proto__", shape: [], data_offsets: [0, 4] } }, new Uint8Array(4)),
      "has element type",
    ],
    ["negative extent", file({ w: f32(0, 4, [-1]) }, new Uint8Array(4)), 'tensor "w" has shape [-1]'],
    ["size that does not fit", file({ w: f32(0, 4, [2]) }, new Uint8Array(4)), "does not fit its 4 bytes"],
    ["overflowing product", file({ w: f32(0, 4, [2 ** 40, 2 ** 40]) }, new Uint8Array(4)), "does not fit its 4 bytes"],
    ["overlap", file({ a: f32(0, 8), b: f32(4, 12) }, new Uint8Array(12)), "data overlaps or has a hole"],
    ["hole", file({ a: f32(0, 4), b: f32(8, 12) }, new Uint8Array(12)), "data overlaps or has a hole"],
    ["beyond the end", file({ a: f32(0, 8) }, new Uint8Array(4)), "ends at byte 8, the data has 4"],
    ["tail", file({ a: f32(0, 4) }, new Uint8Array(5)), "has 1 bytes after its last tensor"],
    [
      "a name that would change a prototype",
      file(`{"__proto__": ${JSON.stringify(f32(0, 4))}}`, new Uint8Array(4)),
      'has a tensor called "__proto__"',
    ],
    ["metadata that is not text", file({ __metadata__: { a: 1 } }), 'its metadata "a" is not text'],
  ])("%s", (_, bytes, reason) => {
    expect(() => readSafetensors(bytes, "weights.safetensors")).toThrow(`weights.safetensors: `);
    expect(() => readSafetensors(bytes, "weights.safetensors")).toThrow(reason);
  });
});

test("any change to the header either reads or is refused, and never crashes", () => {
  const good = writeSafetensors(sample);
  const headerEnd = 8 + Number(new DataView(good.buffer).getBigUint64(0, true));
  fc.assert(
    fc.property(fc.nat(headerEnd - 1), fc.nat(255), fc.nat(good.length), (at, value, cut) => {
      const bad = good.slice(0, cut);
      if (at < bad.length) bad[at] = value;
      try {
        const { tensors } = readSafetensors(bad, "x");
        const taken = Object.values(tensors).reduce((total, { data }) => total + data.byteLength, 0);
        expect(taken).toBeLessThan(bad.length);
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
    }),
    { numRuns: 5000, seed: 1 },
  );
});

test("F10: a header of more than two million bytes is refused before it is parsed", () => {
  const bytes = new Uint8Array(3 * 2 ** 20).fill("[".charCodeAt(0));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(bytes.length - 8), true);
  expect(() => readSafetensors(bytes, "deep.safetensors")).toThrow("and at most 2097152 are read");
});
