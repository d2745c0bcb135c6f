import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { float32, floats, hostTensor, int64 } from "../../engine/tensor/hostTensor.js";
import { writeSafetensors } from "../../engine/tensor/safetensors.js";
import { UserError } from "../../platform/errors.js";
import { Scope } from "../layers/scope.js";
import { DeepLab } from "../models/deeplab.js";
import { loadWeights } from "./matchWeights.js";
import { readWeights } from "./readWeights.js";
import { text } from "./testing/archives.js";

const folder = new URL("../../../test/fixtures/torch/checkpoints/", import.meta.url);
const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));

test("what a file is depends on its bytes, not on its name", async () => {
  expect((await readWeights(fixture("odd.pth"), "weights.safetensors")).format).toBe("pth");
  const plain = writeSafetensors({ w: float32([2], [1, 2]) }, { step: "3" });
  expect(await readWeights(plain, "weights.pth")).toMatchObject({ format: "safetensors", metadata: { step: "3" } });
});

test("safetensors of half precision become float32, whole numbers are named and skipped", async () => {
  const bytes = writeSafetensors({
    half: hostTensor("float16", [3], Uint16Array.of(0x3c00, 0xc500, 0x0001)),
    "bn.num_batches_tracked": int64([], [4]),
  });
  const { tensors, skipped } = await readWeights(bytes, "x");
  expect([...floats(tensors.get("half"), "half")]).toEqual([1, -5, 2 ** -24]);
  expect(skipped).toEqual(["bn.num_batches_tracked"]);
});

test("a network's weights survive being written and read", async () => {
  const scope = new Scope();
  new DeepLab(scope, { classes: 3, width: 0.05, features: 8 });
  const weights = Object.fromEntries(
    scope.params.map(({ path, shape, init }) => [path, float32(shape, init(shape, [2, path]))]),
  );
  const bytes = writeSafetensors({ ...weights, "velocity.encoder.conv1.weight": float32([1], [0]) }, { format: "pt" });
  const read = await readWeights(bytes, "x");
  expect(loadWeights(scope.params, read, "x").tensors).toEqual(weights);
  expect(read.metadata).toEqual({ format: "pt" });
});

describe("other files are refused by what they are:", () => {
  test.each<[string, Uint8Array, string, string]>([
    ["PyTorch before 1.6", fixture("legacy.pth"), "before 1.6", "torch.save(torch.load(path"],
    ["a pickle", Uint8Array.of(0x80, 4, 0x7d, 0x2e), "a bare Python pickle", "safetensors"],
    ["Git LFS", text("version https://git-lfs.github.com/spec/v1\noid"), "a Git LFS pointer", "git lfs pull"],
    ["a web page", text("<!DOCTYPE html>"), "is a web page", "fetch the file itself"],
    ["HDF5", text("\x89HDF\r\n").slice(1), "is an HDF5 file", "save it as safetensors"],
    ["nothing", new Uint8Array(), "0 bytes that are neither", "it starts with"],
    ["text", text("hello there, weights"), "neither a PyTorch checkpoint nor", "68 65 6c 6c"],
  ])("%s", async (_, bytes, reason, hint) => {
    const refusal = readWeights(bytes, "weights");
    await expect(refusal).rejects.toThrow(reason);
    await expect(refusal).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });
});

/** Some bytes changed, a stretch taken out or doubled, an end cut off. */
interface Damage {
  readonly changes: readonly (readonly [at: number, value: number])[];
  readonly stretch: readonly [at: number, length: number, doubled: boolean];
  /** Share of the file that is left. */
  readonly keep: number;
}
const damages: fc.Arbitrary<Damage> = fc.record({
  changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
  stretch: fc.tuple(fc.nat(), fc.oneof(fc.constant(0), fc.nat(40)), fc.boolean()),
  keep: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function damaged(good: Uint8Array, { changes, stretch, keep }: Damage): Uint8Array {
  const bytes = [...good];
  for (const [at, value] of changes) bytes[at % bytes.length] = value;
  const [at, length, doubled] = stretch;
  const from = at % bytes.length;
  if (doubled) bytes.splice(from, 0, ...bytes.slice(from, from + length));
  else bytes.splice(from, length);
  return Uint8Array.from(bytes.slice(0, Math.ceil(bytes.length * keep)));
}

describe("a damaged file is read or refused, never anything else, and takes no more memory than it should:", () => {
  test.each([
    ["odd.pth", 1200],
    ["odd-protocol4.pth", 400],
    ["packed.pth", 400],
    ["evil.pth", 400],
  ] as const)("%s, %i times", async (name, numRuns) => {
    const good = fixture(name);
    await fc.assert(
      fc.asyncProperty(damages, async (how) => {
        const bytes = damaged(good, how);
        try {
          const { tensors } = await readWeights(bytes, name);
          const taken = [...tensors.values()].reduce((total, { data }) => total + data.byteLength, 0);
          expect(taken).toBeLessThan(100 * 4 * bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { numRuns, seed: 1 },
    );
  });

  test("the pickle inside, where damage does most, 2600 times", async () => {
    const good = fixture("odd.pth");
    const start = Buffer.from(good).indexOf("\x80\x02}q");
    const end = Buffer.from(good).indexOf("PK", start);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [at, value] of changes) bytes[start + (at % (end - start))] = value;
        await readWeights(bytes, "x").catch((error: unknown) => expect(error).toBeInstanceOf(UserError));
      }),
      { numRuns: 2600, seed: 2 },
    );
  });
});
