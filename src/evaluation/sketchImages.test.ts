import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { random } from "../engine/tensor/random.js";
import { writeSketchSet } from "../metrics/sketchBytes.js";
import { resolutions } from "../metrics/sketchSet.js";
import { NOT_SCORED, RIGHT, WRONG } from "../metrics/verdict.js";
import type { ScoredImage } from "./sketchImages.js";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built = pathToFileURL(resolve("dist/evaluation/sketchImages.js")).href;
const { openSketchPool, sketchImages }: typeof import("./sketchImages.js") = await import(built);

/** One image in shared memory; about a tenth of the pixels is not scored. */
function image(index: number, pixels: number): ScoredImage {
  const { uniform } = random("image", index);
  const uncertainty = new Float32Array(new SharedArrayBuffer(4 * pixels));
  const verdict = new Uint8Array(new SharedArrayBuffer(pixels));
  for (let i = 0; i < pixels; i++) {
    const draw = uniform();
    verdict[i] = draw < 0.1 ? NOT_SCORED : draw < 0.3 ? WRONG : RIGHT;
    uncertainty[i] = index * 1e-3 + uniform() ** (verdict[i] === RIGHT ? 4 : 1);
  }
  return { id: `image ${index}`, uncertainty, verdict };
}

/** The first is so large that two make a group. */
const images = [image(0, 800_000), ...Array.from({ length: 9 }, (_, k) => image(k + 1, 20_000 * k))];

async function bytes(threads: number, from: readonly ScoredImage[], resolution = resolutions.fine): Promise<string> {
  const pool = openSketchPool(threads, resolution);
  try {
    await sketchImages(from.slice(0, 3), pool, resolution); // what came before leaves no trace
    return Buffer.from(writeSketchSet(await sketchImages(from, pool, resolution))).toString("base64");
  } finally {
    await pool.close();
  }
}

test("sketches are the same bytes on the caller's thread and on 1, 2, 3 and 4", async () => {
  const expected = await bytes(0, images);
  for (const threads of [1, 2, 3, 4]) expect(await bytes(threads, images)).toBe(expected);
});

test("arrays of a thread's own memory are copied and give the same", async () => {
  const copies = images.map(({ id, uncertainty, verdict }) => ({
    id,
    uncertainty: uncertainty.slice(),
    verdict: verdict.slice(),
  }));
  expect(await bytes(2, copies)).toBe(await bytes(0, images));
  expect(copies[0]!.uncertainty).toHaveLength(800_000);
});

test("no image at all is an empty set", async () => {
  const pool = openSketchPool(2);
  expect(await sketchImages([], pool)).toMatchObject({ images: [], skipped: [], total: { rights: 0 } });
  await pool.close();
});

test("a score that is not finite and an image given twice are refused by name, on any thread", async () => {
  const bad = image(20, 50);
  bad.verdict[7] = RIGHT;
  bad.uncertainty[7] = Number.NaN;
  for (const threads of [0, 3]) {
    const pool = openSketchPool(threads);
    const refused = sketchImages([...images, bad, image(21, 9)], pool);
    await expect(refused).rejects.toMatchObject({
      name: "UserError",
      message: "image 20: uncertainty NaN at pixel 7 is not a finite number",
      hint: "an overflow or 0/0 in the method? where infinite means surely wrong, clip to 3.4e38 first",
    });
    await expect(sketchImages([...images, image(1, 9)], pool)).rejects.toThrow('image "image 1" was counted twice');
    expect((await sketchImages([image(21, 9)], pool)).images).toHaveLength(1);
    await pool.close();
  }
});
