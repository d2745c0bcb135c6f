import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { floats } from "../../engine/tensor/hostTensor.js";
import { readSafetensors } from "../../engine/tensor/safetensors.js";
import { UserError } from "../../platform/errors.js";
import { readPth } from "./pth.js";
import * as made from "./testing/archives.js";

const folder = new URL("../../../test/fixtures/torch/checkpoints/", import.meta.url);
const fixture = (name: string): Uint8Array => readFileSync(new URL(name, folder));
const { tensors: expected } = readSafetensors(fixture("expected.safetensors"), "expected.safetensors");

describe.each(["odd.pth", "odd-protocol4.pth"])("%s, written by PyTorch, is read:", (name) => {
  test("strides, offsets and every precision, out of its wrapping", async () => {
    const { tensors, skipped, place } = await readPth(fixture(name), name);
    const wanted = Object.entries(expected).filter(([key]) => key.startsWith("odd/"));
    expect([...tensors.keys()].sort()).toEqual(wanted.map(([key]) => key.replace("odd/", "module.")).sort());
    for (const [key, { shape, data }] of wanted) {
      expect(tensors.get(key.replace("odd/", "module.")), key).toEqual({ dtype: "float32", shape, data });
    }
    expect(skipped).toEqual(["module.num_batches_tracked", "module.mask"]);
    expect(place).toEqual(["state_dict"]);
  });
});

test("a name in the file cannot reach a prototype", async () => {
  const { tensors } = await readPth(fixture("odd.pth"), "odd.pth");
  expect(tensors.has("module.__proto__")).toBe(true);
  const evil = made.storedZip({ "a/data.pkl": made.dictionary(["__proto__", made.tensor(two)]), "a/data/0": eight });
  expect([...(await readPth(evil, "x")).tensors.keys()]).toEqual(["__proto__"]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("a checkpoint that was packed again is read, too", async () => {
  const { tensors } = await readPth(fixture("packed.pth"), "packed.pth");
  expect(floats(tensors.get("conv1.weight"), "w")).toEqual(floats(expected.packed, "packed"));
});

const two = { elements: 2, shape: [2], strides: [1] };
const eight = new Uint8Array(8);
const checkpoint = (pickle: Uint8Array, data: Record<string, Uint8Array> = { "a/data/0": eight }): Uint8Array =>
  made.storedZip({ "a/data.pkl": pickle, ...data });
const weight = (described: Parameters<typeof made.tensor>[0]): Uint8Array =>
  checkpoint(made.dictionary(["w", made.tensor(described)]));
const reduce = (module: string, member: string, ...args: number[][]): number[] => [
  ...made.named(module, member),
  ...made.tuple(...args),
  0x52,
];

describe("a checkpoint is refused, with a reason and without being run:", () => {
  test.each<[string, Uint8Array, string]>([
    ["a call of the shell, written by Python", fixture("evil.pth"), 'refers to "posix.system"'],
    [
      "os.system",
      checkpoint(made.dictionary(["w", reduce("os", "system", made.say("touch pwned"))])),
      'refers to "os.system", which is not needed to hold weights; nothing was run',
    ],
    ["eval", checkpoint(made.pickle(reduce("builtins", "eval", made.say("1")))), 'refers to "builtins.eval"'],
    ["a constructor of ours", checkpoint(made.pickle(reduce("constructor", "constructor"))), "refers to"],
    ["a whole model", fixture("whole-model.pth"), 'refers to "torch.nn.modules.linear.Linear"'],
    ["a bomb", fixture("bomb.pth"), 'part "archive/data/0" would unpack from'],
    ["big-endian numbers", fixture("big-endian.pth"), "was saved on a big-endian machine"],
    ["too many parts", made.storedZip(many(5001)), "has 5001 parts, at most 5000 are read"],
    ["no pickle", made.storedZip({ "a/other": eight }), "0 parts called data.pkl"],
    ["two pickles", made.storedZip({ "a/data.pkl": eight, "b/data.pkl": eight }), "2 parts called data.pkl"],
    ["TorchScript", made.storedZip({ "a/data.pkl": eight, "a/constants.pkl": eight }), "is a TorchScript program"],
    ["NumPy", made.storedZip({ "conv1.weight.npy": eight }), "is a NumPy archive"],
    ["a path out of the archive", made.storedZip({ "../data.pkl": eight }), "invalid relative path"],
    ["a storage that is missing", weight({ ...two, key: "7" }), 'lies in "a/data/7", which is missing'],
    ["a storage that lies about its size", weight({ elements: 9, shape: [9], strides: [1] }), "which holds 2"],
    ["a view beyond its storage", weight({ ...two, offset: 1 }), 'needs 3 numbers of "a/data/0", which holds 2'],
    ["repeated elements", weight({ elements: 2, shape: [1000], strides: [0] }), "[1000] on a storage of 2"],
    ["too many axes", weight({ elements: 2, shape: Array(9).fill(1), strides: Array(9).fill(1) }), "in a way torch"],
    ["axes without strides", weight({ elements: 2, shape: [1], strides: [] }), "in a way torch.save does not"],
    ["no tensors", checkpoint(made.dictionary(["epoch", made.int(3)])), "holds no tensors by name"],
    ["not a dictionary", checkpoint(made.pickle(made.int(3))), "holds no tensors by name"],
    [
      "two networks",
      checkpoint(made.pickle([0x7d, 0x28], ...["student", "teacher"].flatMap((key) => [made.say(key), nested()]), "u")),
      'holds several: "student" (1), "teacher" (1)',
    ],
    ["shared storages without end", checkpoint(shared(200), { "a/data/0": new Uint8Array(4000) }), "describes 200000"],
    ["the pickle alone, cut short", checkpoint(Uint8Array.of(0x80, 2, 0x7d)), "its pickle ends too early, at byte 3"],
  ])("%s", async (_, bytes, reason) => {
    const refusal = readPth(bytes, "weights.pth");
    await expect(refusal).rejects.toThrow(UserError);
    await expect(refusal).rejects.toThrow("weights.pth: ");
    await expect(refusal).rejects.toThrow(reason);
    expect(existsSync("pwned")).toBe(false);
  });
});

function nested(): number[] {
  return [0x7d, ...made.say("w"), ...made.tensor(two), 0x73];
}

function many(count: number): Record<string, Uint8Array> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`a/${i}`, new Uint8Array()]));
}

/** So many tensors of 1000 elements on one storage. */
function shared(count: number): Uint8Array {
  const described = made.tensor({ elements: 1000, shape: [1000], strides: [1] });
  return made.dictionary(...Array.from({ length: count }, (_, i) => [`w${i}`, described] as const));
}
