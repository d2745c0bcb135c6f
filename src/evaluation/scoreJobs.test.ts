import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "fast-png";
import { afterEach, beforeEach, expect, test } from "vitest";
import { npyBytes } from "../data/images/testing/npyBytes.js";
import { random } from "../engine/tensor/random.js";
import { writeSketchSet } from "../metrics/sketchBytes.js";
import type { ScoreOptions } from "./score.js";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built = pathToFileURL(resolve("dist/evaluation/score.js")).href;
const { score }: typeof import("./score.js") = await import(built);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gssl-score-threads-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return path;
}

const png = (data: Uint8Array, height: number, width: number): Uint8Array =>
  encode({ width, height, data, channels: 1, depth: 8 });

function maps(seed: number, pixels: number) {
  const { uniform } = random("maps", seed);
  const labels = Uint8Array.from({ length: pixels }, () => (uniform() < 0.05 ? 255 : Math.floor(uniform() * 4)));
  const predicted = labels.map((label) => (uniform() < 0.2 ? 3 : label));
  const uncertainty = Float32Array.from(predicted, (_, i) => uniform() * (predicted[i] === labels[i] ? 0.6 : 1));
  return { labels, predicted, uncertainty };
}

/** Six images. The first is so large that it fills a group, so each of the others, though small, is one too. */
async function folders() {
  for (let n = 0; n < 6; n++) {
    const [height, width] = n === 0 ? [1100, 1000] : [5, 8 + n];
    const { labels, predicted, uncertainty } = maps(n, height! * width!);
    await file(`l/${n}.png`, png(labels, height!, width!));
    await file(`p/${n}.png`, png(predicted, height!, width!));
    await file(`u/${n}.npy`, npyBytes("<f4", [height!, width!], uncertainty));
  }
  return { labels: join(folder, "l"), predicted: join(folder, "p"), uncertainty: join(folder, "u") };
}

async function arrays() {
  const { labels, predicted, uncertainty } = maps(9, 3 * 1100 * 1000);
  const shape = [3, 1100, 1000];
  return {
    labels: await file("labels.npy", npyBytes("|u1", shape, labels)),
    predicted: await file("predicted.npy", npyBytes("|u1", shape, predicted)),
    uncertainty: await file("uncertainty.npy", npyBytes("<f4", shape, uncertainty)),
  };
}

async function counted(options: ScoreOptions) {
  const notes: string[] = [];
  const scored = await score({ ...options, onNote: (note) => notes.push(note) });
  const examples: string[] = [];
  for await (const { id } of scored.examples(2)) examples.push(id);
  await scored.close();
  const { set, confusion, classes, meaningless } = scored;
  return {
    bytes: Buffer.from(writeSketchSet(set)).toString("base64"),
    confusion: [...confusion!.counts],
    classes,
    meaningless,
    notes,
    examples,
  };
}

test("folders give the same bytes, counts and notes on 1, 2 and 4 threads", async () => {
  const paths = await folders();
  const expected = await counted({ ...paths, threads: 1 });
  expect(expected.notes).toEqual(["found classes 0 to 3 in the labels; say --classes to be sure"]);
  for (const threads of [2, 4]) expect(await counted({ ...paths, threads })).toEqual(expected);
});

test("arrays give the same on 1 and 3 threads", async () => {
  const paths = await arrays();
  expect(await counted({ ...paths, threads: 3 })).toEqual(await counted({ ...paths, threads: 1 }));
});

test("labels of one value are noticed across groups", async () => {
  const paths = await folders();
  const same = async (n: number, label: number) => {
    const [height, width] = n === 0 ? [1100, 1000] : [5, 8 + n];
    await file(`l/${n}.png`, png(new Uint8Array(height! * width!).fill(label), height!, width!));
  };
  for (let n = 0; n < 6; n++) await same(n, 2);
  for (const threads of [1, 3]) {
    expect((await counted({ ...paths, threads })).meaningless).toContain("every label is class 2");
  }
  await same(5, 1);
  for (const threads of [1, 3]) expect((await counted({ ...paths, threads })).meaningless).toBeUndefined();
});

test("what is wrong with an image reaches the reader unchanged, the first image first", async () => {
  const paths = await folders();
  const bad = maps(4, 60).uncertainty.fill(Number.NaN);
  await file("u/4.npy", npyBytes("<f4", [5, 12], bad));
  for (const threads of [1, 2, 4]) {
    await expect(counted({ ...paths, threads })).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringMatching(/^4: uncertainty NaN at pixel \d is not a finite number$/),
      hint: "an overflow or 0/0 in the method? where infinite means surely wrong, clip to 3.4e38 first",
    });
  }
  await file("u/3.npy", npyBytes("<f4", [11, 5], new Float32Array(55)));
  for (const threads of [1, 2, 4]) {
    await expect(counted({ ...paths, threads })).rejects.toMatchObject({
      name: "UserError",
      message: "image 3: labels are 5 x 11, the uncertainty is 11 x 5",
      hint: "predict at the size of the labels; nothing is resized here",
    });
  }
});
