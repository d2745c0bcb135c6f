import { Parser } from "pickleparser";
import { describe, expect, test } from "vitest";
import { readPickle } from "./pickle.js";
import { Global } from "./pickleMachine.js";
import { refuser } from "./refusal.js";
import { int, named, pickle, say, tuple } from "./testing/archives.js";

const refuse = refuser("x");
const rules = {
  global: (name: string) => new Global(name),
  call: (callee: Global, args: readonly unknown[]) => ({ callee: callee.name, args }),
  persistent: (id: unknown) => ({ id }),
};
const read = (bytes: Uint8Array): unknown => readPickle(bytes, rules, refuse);

test("plain values are read as another reader reads them", () => {
  const plain = pickle(
    "}(",
    [say("numbers"), tuple(int(-3), [0x4b, 200], [0x4d, 1, 2], [0x8a, 2, 0, 1])].flat(),
    [say("fraction"), [0x47, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]].flat(),
    [say("words"), [0x5d, 0x28], say("a"), say("ü"), [0x65]].flat(),
    [say("again"), [0x5d, 0x71, 5, 0x68, 5, 0x61]].flat(), // a list that holds itself
    [say("truth"), [0x88, 0x89, 0x86]].flat(),
    "u",
  );
  const other = new Parser({ unpicklingTypeOfDictionary: "Map" }).parse(plain);
  expect(read(plain)).toEqual(other);
  expect(read(pickle("N"))).toBe(null);
});

test("long numbers keep their sign, and their digits where a plain number cannot hold them", () => {
  expect(read(pickle([0x8a, 1, 0xff]))).toBe(-1);
  expect(read(pickle([0x8a, 0]))).toBe(0);
  expect(read(pickle([0x8a, 8, 0, 0, 0, 0, 0, 0, 0, 0x80]))).toBe(-(2n ** 63n));
});

test("names and calls stay data", () => {
  expect(read(pickle(named("os", "system")))).toEqual(new Global("os.system"));
  expect(read(pickle(named("a.b", "c"), tuple(int(1)), "R"))).toEqual({ callee: "a.b.c", args: [1] });
  expect(read(pickle(say("a"), say("b"), [0x93]))).toEqual(new Global("a.b")); // as protocol 4 writes it
});

describe("a pickle is refused where it", () => {
  test.each<[string, Uint8Array, string]>([
    ["takes from an empty stack", pickle("0"), "takes something where there is nothing"],
    ["closes what was not opened", pickle("t"), "takes something where there is nothing"],
    ["recalls an empty slot", pickle("h", [9]), "recalls slot 9, which is empty"],
    ["opens more and more", pickle("(".repeat(101)), "nested more than 100 deep"],
    ["appends to a number", pickle(int(1), int(2), "a"), "not a list"],
    ["sets a key of a list", pickle("]", int(1), int(2), "s"), "not a dictionary"],
    ["sets a key to nothing", pickle("}(", int(1), "u"), "sets a key to nothing"],
    ["sets attributes of a name", pickle(named("a", "b"), "}b"), "not a dictionary"],
    ["calls a text", pickle(say("system"), ")R"), "calls something without a name"],
    ["builds a name of numbers", pickle(int(1), int(2), [0x93]), "a name that is no text"],
    ["claims a text longer than itself", pickle("X", [255, 255, 255, 255]), "ends too early"],
    ["ends inside a line", Uint8Array.of(0x63, 0x61), "ends in the middle of a line"],
    ["creates an object", pickle(named("a", "b"), ")", [0x81]), "opcode 129 at byte 8"],
    ["has bytes of negative length", pickle("B", [0xfb, 0xff, 0xff, 0xff]), "opcode 66 at byte 2"],
  ])("%s", (_, bytes, reason) => {
    expect(() => read(bytes)).toThrow(reason);
  });
});

test("F10: a pickle of a million operations and more is refused on the way", () => {
  const bytes = new Uint8Array(1_000_002).fill("N".charCodeAt(0));
  bytes[bytes.length - 1] = ".".charCodeAt(0);
  expect(() => read(bytes)).toThrow("its pickle has more than 1000000 operations");
});
