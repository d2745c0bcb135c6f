import { expect, test } from "vitest";
import { random } from "../engine/tensor/random.js";
import { writeSketchSet } from "./sketchBytes.js";
import { addSketchSets, imagesPerBatch, SketchBuilder, type SketchSet, tidy } from "./sketchSet.js";
import { RIGHT, WRONG } from "./verdict.js";

interface Pixels {
  readonly id: string;
  readonly uncertainty: Float32Array;
  readonly verdict: Uint8Array;
}

/** Scores crowded near `centre`, with some far away. */
function image(id: string, pixels: number, centre: number): Pixels {
  const { uniform } = random("pixels", id.length, centre * 1000);
  const verdict = Uint8Array.from({ length: pixels }, () => (uniform() < 0.2 ? WRONG : RIGHT));
  const uncertainty = Float32Array.from(verdict, (right) =>
    uniform() < 0.02 ? Math.exp(9 * uniform() - 4) : centre + 0.05 * uniform() ** (right === RIGHT ? 3 : 1),
  );
  return { id, uncertainty, verdict };
}

function sketch(builder: SketchBuilder, images: readonly Pixels[]): SketchSet {
  for (const { id, uncertainty, verdict } of images) builder.add(id, uncertainty, verdict);
  return builder.finish();
}

const bytesOf = (set: SketchSet): string => Buffer.from(writeSketchSet(set)).toString("base64");

test("a sketch depends on its pixels alone, whatever its builder saw before", () => {
  const images = [image("large", 150_000, 0.3), image("small", 20_000, 0.3), image("tiny", 50, 2)];
  const used = new SketchBuilder();
  sketch(used, [image("other", 140_000, 0.31), image("another", 30_000, -5), image("third", 9000, 40)]);
  sketch(used, [image("fourth", 200_000, 0.29)]);
  expect(bytesOf(sketch(used, images))).toBe(bytesOf(sketch(new SketchBuilder(), images)));
});

test("no interval holds more than its share, unless it is a single number", () => {
  const { uncertainty, verdict } = image("one", 150_000, 0.3);
  uncertainty.fill(0.25, 0, 1000); // a true tie
  const { total } = sketch(new SketchBuilder(), [{ id: "one", uncertainty, verdict }]);
  const most = 1e-4 * total.rights;
  const crowded = [...total.bits.keys()].filter((i) => total.right[i]! > most || total.wrong[i]! > 1e-4 * total.wrongs);
  expect(crowded.length).toBeGreaterThan(0);
  for (const i of crowded) expect(total.bits[i]).toBe(0);
});

test("a builder begins anew after finish, and may meet the same image again", () => {
  const builder = new SketchBuilder();
  const [first, second] = [image("a", 3000, 0.1), image("b", 3000, 0.2)];
  const once = sketch(builder, [first, second]);
  expect(bytesOf(sketch(builder, [first, second]))).toBe(bytesOf(once));
  expect(builder.finish()).toMatchObject({ images: [], skipped: [], total: { rights: 0, wrongs: 0 } });
});

test("one batch sketched alone and tidied up again stays what it is", () => {
  const set = sketch(new SketchBuilder(), [image("a", 60_000, 0.3)]);
  const again = tidy(addSketchSets([set]), { batch: 1e-4, total: 1e-5, kept: 1 / 512 });
  expect(bytesOf(again)).toBe(bytesOf(set));
});

test("groups hold about two million pixels, and at least one image", () => {
  expect(imagesPerBatch(480 * 960)).toBe(4);
  expect(imagesPerBatch(64 * 128)).toBe(256);
  expect(imagesPerBatch(4000 * 3000)).toBe(1);
  expect(imagesPerBatch(0)).toBeGreaterThan(0);
});
