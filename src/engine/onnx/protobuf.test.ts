import protobufjs from "protobufjs";
import { expect, test } from "vitest";
import {
  bytes,
  create,
  decode,
  encode,
  float,
  int32,
  int64,
  message,
  name,
  optional,
  repeated,
  text,
} from "./protobuf.js";

const inner = { label: optional(1, text), count: optional(2, int64) };
const outer = {
  title: name(1),
  parts: repeated(2, message(inner)),
  sizes: repeated(3, int64),
  kind: optional(4, int32),
  share: optional(5, float),
  raw: optional(6, bytes),
  tags: repeated(7, text),
};

/** The same messages for another library. */
const peer = protobufjs
  .parse(`
  syntax = "proto2";
  message Inner { optional string label = 1; optional int64 count = 2; }
  message Outer {
    optional string title = 1;
    repeated Inner parts = 2;
    repeated int64 sizes = 3;
    optional int32 kind = 4;
    optional float share = 5;
    optional bytes raw = 6;
    repeated string tags = 7;
    optional string further = 20;
  }`)
  .root.lookupType("Outer");

const given = create(outer, {
  title: "a",
  parts: [
    { label: "", count: 0n },
    { label: "ü", count: -3n },
  ],
  sizes: [1n, 9_223_372_036_854_775_807n],
  kind: 0,
  share: 0.5,
  raw: Uint8Array.of(1, 2),
  tags: ["x", ""],
});

test("a message is written as another library writes it, zeros that are given among it", () => {
  const same = peer.fromObject({
    ...given,
    parts: given.parts.map(({ label, count }) => ({ label, count: String(count) })),
    sizes: given.sizes.map(String),
  });
  expect([...encode(outer, given)]).toEqual([...peer.encode(same).finish()]);
});

test("what was written is read again, and what was absent stays absent", () => {
  expect(decode(outer, encode(outer, given))).toEqual(given);
  const none = { title: "", parts: [], sizes: [], kind: undefined, share: undefined, raw: undefined, tags: [] };
  expect(decode(outer, new Uint8Array())).toEqual(none);
});

test("packed numbers are read like single ones", () => {
  const packed = Uint8Array.of(0x1a, 3, 1, 2, 3, 0x18, 4);
  expect(decode(outer, packed).sizes).toEqual([1n, 2n, 3n, 4n]);
});

test("fields that the table does not name are written again", () => {
  const further = peer.encode(peer.fromObject({ title: "a", further: "kept" })).finish();
  const again = encode(outer, decode(outer, further));
  expect(peer.decode(again).toJSON()).toEqual({ title: "a", further: "kept" });
});

test("bytes that end too early, or a field of another type, are refused", () => {
  const whole = encode(outer, given);
  expect(() => decode(outer, whole.subarray(0, whole.length - 1))).toThrow();
  expect(() => decode(outer, Uint8Array.of(0x08, 1))).toThrow("wire type 0 where 2 belongs");
});
