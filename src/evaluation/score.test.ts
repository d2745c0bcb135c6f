import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encode } from "fast-png";
import { afterEach, beforeEach, expect, test } from "vitest";
import { npyBytes } from "../data/images/testing/npyBytes.js";
import { readClasses } from "./classNames.js";
import { type Evaluation, resultOf } from "./results/resultOf.js";
import { type Scored, type ScoreOptions, score } from "./score.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gssl-score-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return path;
}

const grey = (data: Uint8Array | Uint16Array, [height, width]: readonly [number, number]): Uint8Array =>
  encode({ width, height, data, channels: 1, depth: data instanceof Uint16Array ? 16 : 8 });

/** Three images of 2 x 4 with three classes, an unknown and a void pixel. */
const labels = Uint8Array.of(0, 0, 1, 1, 2, 2, 254, 255, 0, 1, 2, 0, 1, 2, 0, 1, 2, 2, 2, 2, 1, 1, 0, 0);
const predicted = labels.map((label, i) => (label > 2 ? 0 : i % 4 === 0 ? (label + 1) % 3 : label));
const uncertainty = Float32Array.from(labels, (label, i) => (i % 4 === 0 || label > 2 ? 0.6 : 0.3) + (i % 7) / 20);

async function arrays(change: Partial<Record<"labels" | "predicted" | "uncertainty", Uint8Array>> = {}) {
  return {
    labels: await file("labels.npy", change.labels ?? npyBytes("|u1", [3, 2, 4], labels)),
    predicted: await file("predicted.npy", change.predicted ?? npyBytes("|u1", [3, 2, 4], predicted)),
    uncertainty: await file("uncertainty.npy", change.uncertainty ?? npyBytes("<f4", [3, 2, 4], uncertainty)),
  };
}

async function folders() {
  for (let n = 0; n < 3; n++) {
    const part = <T extends Uint8Array | Float32Array>(all: T): T => all.slice(8 * n, 8 * n + 8) as T;
    await file(`l/place/${n}.png`, grey(part(labels), [2, 4]));
    await file(`p/place/${n}.png`, grey(Uint16Array.from(part(predicted)), [2, 4]));
    await file(`u/place/${n}.npy`, npyBytes("<f8", [2, 4], Float64Array.from(part(uncertainty))));
  }
  return { labels: join(folder, "l"), predicted: join(folder, "p"), uncertainty: join(folder, "u") };
}

async function scored(options: ScoreOptions) {
  const found: Scored = await score(options);
  await found.close();
  const evaluation: Evaluation = { ...found, dataset: "d", method: "m", command: "", seeds: {}, environment: {} };
  return resultOf(evaluation);
}

test("arrays and folders of the same numbers give the same result", async () => {
  const fromArrays = await scored({ ...(await arrays()), ...(await readClasses("3")) });
  const fromFolders = await scored({ ...(await folders()), ...(await readClasses("3")) });
  expect(fromFolders).toEqual(fromArrays);
  expect(fromArrays).toMatchObject({ images: 3, pixels: 23, accuracy: 16 / 23 });
  expect(fromArrays.auroc).toBeGreaterThan(0.9);
});

test("16-bit PNG uncertainty keeps the order and so the AUROC", async () => {
  const paths = await folders();
  const exact = await scored({ ...paths, ...(await readClasses("3")) });
  for (let n = 0; n < 3; n++) {
    const codes = Uint16Array.from(uncertainty.subarray(8 * n, 8 * n + 8), (u) => Math.round(u * 60_000));
    await file(`v/place/${n}.png`, grey(codes, [2, 4]));
  }
  const coded = await scored({ ...paths, uncertainty: join(folder, "v"), ...(await readClasses("3")) });
  expect(coded.auroc).toBe(exact.auroc);
});

test("policies decide what becomes of unknown and void pixels", async () => {
  const paths = { ...(await arrays()), ...(await readClasses("3")) };
  expect((await scored({ ...paths, policy: "official" })).pixels).toBe(24);
  expect((await scored({ ...paths, policy: "known" })).pixels).toBe(22);
  expect((await scored({ ...paths, policy: "paper" })).pixels).toBe(23);
});

test("without a class list the labels say how many there are, and the reader is told", async () => {
  const notes: string[] = [];
  const result = await scored({ ...(await arrays()), onNote: (note) => notes.push(note) });
  expect(result.classes.map(({ name }) => name)).toEqual(["class 0", "class 1", "class 2"]);
  expect(notes).toEqual(["found classes 0 to 2 in the labels; say --classes to be sure"]);
});

test("labels of -1 can be called void", async () => {
  const signed = BigInt64Array.from(labels, (label) => BigInt(label === 255 ? -1 : label));
  const paths = await arrays({ labels: npyBytes("<i8", [3, 2, 4], signed) });
  const { classes } = await readClasses("3");
  await expect(scored({ ...paths, classes })).rejects.toThrow("image 0: label -1 at row 1, column 3 is neither");
  expect((await scored({ ...paths, classes, void: [-1] })).pixels).toBe(23);
});

test("an id named as unknown or void is that, whatever it usually means; one named as both is refused", async () => {
  const paths = { ...(await arrays()), ...(await readClasses("3")) };
  // 22 pixels have a class, 16 of them right; the two others are wrong or left out.
  expect(await scored({ ...paths, unknown: [254, 255] })).toMatchObject({ pixels: 24, accuracy: 16 / 24 });
  expect(await scored({ ...paths, void: [254, 255] })).toMatchObject({ pixels: 22, accuracy: 16 / 22 });
  await expect(scored({ ...paths, unknown: [254, 255], void: [255] })).rejects.toThrow("--unknown 255 and --void 255");
});

test("sizes that differ are refused with the image named, never resized", async () => {
  const paths = await folders();
  await file("u/place/1.npy", npyBytes("<f4", [4, 2], new Float32Array(8)));
  await expect(scored(paths)).rejects.toThrow("image place/1: labels are 2 x 4, the uncertainty is 4 x 2");
});

test("NaN is refused with the image named; on a void pixel it may stand", async () => {
  const bad = uncertainty.slice();
  bad[7] = Number.NaN;
  const { classes } = await readClasses("3");
  const paths = await arrays({ uncertainty: npyBytes("<f4", [3, 2, 4], bad) });
  expect((await scored({ ...paths, classes })).pixels).toBe(23);
  bad[9] = Number.NaN;
  await arrays({ uncertainty: npyBytes("<f4", [3, 2, 4], bad) });
  await expect(scored({ ...paths, classes })).rejects.toThrow("1: uncertainty NaN at pixel 1");
});

test("all right, or labels of one value, give null with the reason", async () => {
  const { classes } = await readClasses("3");
  const perfect = await scored({
    ...(await arrays({ predicted: npyBytes("|u1", [3, 2, 4], labels) })),
    classes,
    policy: "known",
  });
  expect(perfect).toMatchObject({ accuracy: 1, auroc: null, reasons: { auroc: "no wrong pixel" } });
  const hidden = await scored({
    ...(await arrays({ labels: npyBytes("|u1", [3, 2, 4], new Uint8Array(24)) })),
    classes,
  });
  expect(hidden.accuracy).toBeNull();
  expect(hidden.reasons.accuracy).toBe("every label is class 0: one class only, or hidden ground truth");
});

test("files that do not fit together are refused, and the message says which", async () => {
  const array = await arrays();
  const paths = await folders();
  await expect(score({ ...array, labels: paths.labels })).rejects.toThrow("cannot be matched");
  await rm(join(folder, "p/place/2.png"));
  await expect(score(paths)).rejects.toThrow("--predicted: 1 of 3 images have no file, place/2 first");
  await file("p/place/2.png", "no image");
  await expect(score(paths)).rejects.toThrow("2.png: 8 bytes are no PNG");
  await file("p/place/2.npy", npyBytes("|u1", [2, 4], new Uint8Array(8)));
  await expect(score(paths)).rejects.toThrow("has both place/2.npy and place/2.png");
  await expect(score({ ...array, labels: join(folder, "x.npy") })).rejects.toThrow("--labels: there is nothing at");
});

test("an array that is cut short, or holds probabilities, is refused", async () => {
  const short = npyBytes("|u1", [3, 2, 4], labels).subarray(0, -1);
  await expect(score(await arrays({ labels: short }))).rejects.toThrow("has 151 bytes, its head promises 152");
  const soft = npyBytes("<f4", [1, 3, 2, 4], new Float32Array(24));
  await expect(score(await arrays({ labels: npyBytes("|u1", [3, 2, 4], labels), predicted: soft }))).rejects.toThrow(
    "shape (1, 3, 2, 4), wanted (height, width) or (images, height, width)",
  );
  const fractions = npyBytes("<f4", [3, 2, 4], new Float32Array(24));
  await expect(score(await arrays({ predicted: fractions }))).rejects.toThrow("predictions are fractions");
});

test("a class that is also void is refused", async () => {
  const paths = { ...(await arrays()), ...(await readClasses("3")) };
  await expect(score({ ...paths, void: [2] })).rejects.toThrow("--void 2 is also a class");
});

test("class files hold names or names with colours, and nothing else", async () => {
  const plain = await file("plain.json", '["road", {"name": "sky", "colour": [1, 2, 3]}]');
  expect((await readClasses(plain)).classes).toMatchObject([{ name: "road" }, { name: "sky", colour: [1, 2, 3] }]);
  await expect(readClasses(await file("bad.json", '{"classes": 3}'))).rejects.toThrow("is no list of classes");
  await expect(readClasses("255")).rejects.toThrow("255 classes, wanted 1 to 254");
});

test("G6: the classes.json of a folder is taken: it says what label values mean, predictions are places in its list", async () => {
  const json = {
    classes: [
      { name: "road", colour: "#804080", ids: [7] },
      { name: "sky", colour: [1, 2, 3], ids: [23, 24] },
      { name: "car", colour: "#00008e", ids: [26] },
    ],
    unknown: [9],
    void: [0],
  };
  const raw: Readonly<Record<number, number>> = { 0: 7, 1: 23, 2: 26, 254: 9, 255: 0 };
  const own = labels.map((label, i) => (label === 1 && i % 2 === 1 ? 24 : raw[label]!));
  const named = await readClasses(await file("classes.json", JSON.stringify(json)));
  const found = await scored({ ...(await arrays({ labels: npyBytes("|u1", [3, 2, 4], own) })), ...named });
  const plain = await scored({ ...(await arrays()), ...(await readClasses("3")) });
  expect(found.classes[0]).toEqual({ name: "road", colour: [128, 64, 128] });
  expect({ ...found, classes: 0, segmentation: 0 }).toEqual({ ...plain, classes: 0, segmentation: 0 });
  const colours = JSON.stringify({
    ...json,
    kind: "colours",
    unknown: [],
    void: [],
    classes: [{ name: "a", colour: "#804080" }],
  });
  await expect(readClasses(await file("colours.json", colours))).rejects.toThrow("its labels are colours");
  await expect(score({ ...(await arrays()), ...named, void: [23] })).rejects.toThrow(
    "--void 23 is also a class: --classes lists it",
  );
});

test("scores of recorded cases agree with scikit-learn", async () => {
  const recorded = JSON.parse(await readFile("test/fixtures/sklearn/sklearn.json", "utf8")) as {
    cases: { kind: string; seed: number; count: number; errorRate: number; auroc: number; ap: number }[];
  };
  const cases = recorded.cases.filter(({ kind }) => kind === "skewed");
  expect(cases).toHaveLength(3);
  for (const { seed, count, errorRate, auroc, ap } of cases) {
    // The scores of test/fixtures/sklearn/make.py, as four images.
    let state = seed;
    const next = () => {
      state = (Math.imul(1664525, state) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const answers = new Uint8Array(count);
    const scores = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const [a, , c] = [next(), next(), next()];
      answers[i] = c >= errorRate ? i % 2 : 2;
      scores[i] = c >= errorRate ? a : Math.sqrt(a);
    }
    const truth = answers.map((_, i) => i % 2);
    const shape = [4, 4, count / 16];
    const paths = await arrays({
      labels: npyBytes("|u1", shape, truth),
      predicted: npyBytes("|u1", shape, answers),
      uncertainty: npyBytes("<f4", shape, scores),
    });
    const result = await scored({ ...paths, ...(await readClasses("3")) });
    expect(Math.abs(result.auroc! - auroc)).toBeLessThan(1e-4);
    expect(Math.abs(result.aupr! - ap)).toBeLessThan(1e-4);
  }
});
