import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  answersFor,
  fitOn,
  labelledOutputs,
  recordedSetting,
  recordedSource,
  type SeenImage,
  scoresOf,
  uncertaintyOf,
} from "../../../test/toySource.js";
import { float32, floats, int64, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { size } from "../../engine/tensor/shape.js";
import { type FitContext, type FitPass, inTurn } from "../parts/fitting.js";
import type { OnePassMethod } from "../parts/method.js";
import { ClassMoments } from "./classMoments.js";
import { FeatureBank } from "./featureBank.js";
import { gaussianMixture } from "./gaussianMixture.js";
import { klMatching } from "./klMatching.js";
import { mahalanobis } from "./mahalanobis.js";
import { nearestNeighbours } from "./nearestNeighbours.js";
import { react } from "./react.js";
import { vim } from "./vim.js";
import { times, whiteningOf } from "./whitening.js";

const F = 5;
const setting: FitContext = {
  classes: ["road", "sky", "car"],
  features: F,
  head: { weight: float32([3, F, 1, 1], new Float32Array(3 * F).fill(0.1)), bias: float32([3], [0, 0, 0]) },
  seed: 0,
};

/** Cells of given classes, features normal around a place for each class (255: around none of them). */
function drawn(key: string, cells: readonly number[], place: (label: number, f: number) => number): SeenImage {
  const draw = random(key);
  const [h, w] = [2, cells.length / 2];
  const features = new Float32Array(F * cells.length);
  for (let f = 0; f < F; f++)
    for (const [i, label] of cells.entries()) features[f * cells.length + i] = place(label, f) + draw.normal();
  const labels = Array.from({ length: 4 * h * 4 * w }, (_, i) => {
    const [y, x] = [Math.floor(i / (4 * w)), i % (4 * w)];
    return cells[Math.floor(y / 4) * w + Math.floor(x / 4)]!;
  });
  return { features: float32([1, F, h, w], features), labels: int64([1, 4 * h, 4 * w], labels) };
}

const cellsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => i % 3);
const apart = (label: number, f: number): number => (label === f ? 8 : 0);

const methods: readonly OnePassMethod[] = [mahalanobis, gaussianMixture, vim, klMatching, react, nearestNeighbours];

test("B-7, B-10: Mahalanobis and the mixture tell features of no class from those of the source, AUROC above 0.99", async () => {
  const source = Array.from({ length: 4 }, (_, i) => drawn(`source ${i}`, cellsOf(60), apart));
  for (const method of methods.slice(0, 2)) {
    const { tensors } = await fitOn(method, setting, source);
    const [first] = scoresOf(method, tensors);
    const score = async (image: SeenImage) => uncertaintyOf(first!, answersFor(image.features, setting));
    const known = await score(drawn("known", cellsOf(60), apart));
    const strange = await score(drawn("strange", new Array<number>(60).fill(255), () => -8));
    let wins = 0;
    for (const u of strange) wins += known.filter((other) => other < u).length;
    expect(wins / (known.length * strange.length)).toBeGreaterThan(0.99);
  }
});

test("moments do not depend on how images are grouped, and keep their digits far from zero", async () => {
  const far = (label: number, f: number): number => 1000 + 10 * label + f;
  const images = Array.from({ length: 3 }, (_, i) => drawn(`far ${i}`, cellsOf(24), far));
  const { scatter, means, counts } = await gathered(images);
  // The slow obvious loops, in double precision.
  const rows = images.flatMap(({ features: { data } }) =>
    Array.from({ length: 24 }, (_, i) => ({
      k: i % 3,
      x: Array.from({ length: F }, (_, f) => Number(data[f * 24 + i])),
    })),
  );
  for (let k = 0; k < 3; k++) {
    const own = rows.filter((row) => row.k === k).map(({ x }) => x);
    expect(counts[k]).toBe(own.length);
    const mean = Array.from({ length: F }, (_, f) => own.reduce((total, x) => total + x[f]!, 0) / own.length);
    for (const [f, value] of mean.entries()) expect(means[k * F + f]).toBeCloseTo(value, 3);
    for (let i = 0; i < F; i++)
      for (let j = 0; j < F; j++) {
        const wanted = own.reduce((total, x) => total + (x[i]! - mean[i]!) * (x[j]! - mean[j]!), 0);
        expect(scatter[(k * F + i) * F + j]).toBeCloseTo(wanted, 1);
      }
  }
});

async function gathered(images: readonly SeenImage[]): Promise<ClassMoments> {
  const moments = new ClassMoments({ features: F, classes: 3, spread: "each" });
  const fit = () => inTurn([() => moments], () => ({ tensors: {}, remarks: [] }));
  await fitOn({ ...mahalanobis, fit }, setting, images);
  return moments;
}

test("B-10: a class with fewer than F + 1 pixels borrows the covariance of all, and that is said", async () => {
  const few = [...new Array<number>(20).fill(0), ...new Array<number>(16).fill(1), 2, 2, 2, 255];
  const { tensors, remarks } = await fitOn(gaussianMixture, setting, [drawn("few", few, apart)]);
  expect(remarks).toEqual(["fewer than 6 pixels of car (3): they borrow the covariance of all classes"]);
  expect(tensors.whitenings!.shape).toEqual([3, F, F]);
  expect([...floats(tensors.whitenings, "whitenings")].every(Number.isFinite)).toBe(true);
});

test("B-7, B-10: channels that are always zero make a covariance singular; it is helped, reported, and scores stay finite", async () => {
  const flat = Array.from({ length: 2 }, (_, i) => {
    const { features, labels } = drawn(`flat ${i}`, cellsOf(60), apart);
    const values = Float32Array.from(features.data as Float32Array);
    values.fill(0, 3 * 60); // channels 3 and 4
    return { features: float32(features.shape, values), labels };
  });
  for (const method of methods) {
    const { tensors, remarks } = await fitOn(method, setting, flat);
    if (method.name === "gmm") expect(remarks.join()).toContain("the covariance of road was singular: 1e-");
    for (const score of scoresOf(method, tensors)) {
      const u = await uncertaintyOf(score, answersFor(flat[0]!.features, setting));
      expect(u.every(Number.isFinite), method.name).toBe(true);
    }
  }
});

test("a whitening turns its covariance into the unit matrix; one that is all zeros is helped too", () => {
  const covariance = Float64Array.from([4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2]);
  const { matrix, logDeterminant, jitter } = whiteningOf(covariance, 3);
  // A Σ Aᵀ, column by column.
  const columns = [0, 1, 2].map((j) => times(matrix, times(covariance, matrix.subarray(3 * j, 3 * j + 3))));
  for (const [j, column] of columns.entries())
    for (const [i, value] of column.entries()) expect(value).toBeCloseTo(i === j ? 1 : 0, 12);
  expect(Math.exp(logDeterminant)).toBeCloseTo(4 * 5.96 - 1.9 - 0.65, 10);
  expect(jitter).toBe(0);
  expect(whiteningOf(new Float64Array(9), 3).jitter).toBe(1e-12);
  expect(() => whiteningOf(new Float64Array(9).fill(Number.NaN), 3)).toThrow("holds a NaN");
});

test("a bank holds each labelled pixel with the same chance, never a void one, and is the same for the same seed", () => {
  const kept = (seed: number): number[] => {
    const bank = new FeatureBank({ capacity: 50, features: 1, seed });
    for (let image = 0; image < 20; image++) {
      const values = Float32Array.from({ length: 10 }, (_, i) => 10 * image + i);
      bank.add({
        features: float32([1, 1, 2, 5], values),
        cells: int64([1, 2, 5], [0, 1, 2, 0, 1, 2, 0, 1, 255, 255]),
      });
    }
    return [...bank.rows];
  };
  const draws = Array.from({ length: 400 }, (_, seed) => kept(seed));
  expect(kept(7)).toEqual(draws[7]);
  for (const rows of draws) expect(rows.every((value) => value % 10 < 8)).toBe(true);
  // 160 labelled pixels, 50 places: the first image's eight are expected 8 * 50 / 160 = 2.5 times, and so are the last's.
  for (const image of [0, 19]) {
    const mean = draws.flat().filter((value) => Math.floor(value / 10) === image).length / draws.length;
    expect(mean).toBeGreaterThan(2.3);
    expect(mean).toBeLessThan(2.7);
  }
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("fitting takes the same memory for ten images as for ten thousand", () => {
  for (const method of methods) {
    const fitting = method.fit!(setting);
    const pass = fitting.next()!;
    const images: Tensors[] = [1, 2].map((seed) => measured(pass, seed));
    const grown = (count: number): number => {
      collectGarbage();
      const before = process.memoryUsage();
      for (let i = 0; i < count; i++) pass.add(images[i % 2]!);
      collectGarbage();
      const after = process.memoryUsage();
      return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    };
    grown(200);
    // A leak grows in every round; compiled code and inline caches, which V8 makes when it likes, do not.
    const least = Math.min(...[1, 2, 3].map(() => grown(5_000)));
    expect(least, method.name).toBeLessThan(100_000);
  }
});

/** What a pass would be handed for an image: numbers of the right shapes. */
function measured(pass: FitPass, seed: number): Tensors {
  const outputs = labelledOutputs(drawn(`memory ${seed}`, cellsOf(60), apart), setting);
  const draw = random("measured", seed);
  return Object.fromEntries(
    Object.entries(pass.measure(outputs)).map(([name, { type }]) => {
      const numbers = Array.from({ length: size(type.shape) }, () => draw.below(3));
      return [name, type.dtype === "int64" ? int64(type.shape, numbers) : float32(type.shape, numbers)];
    }),
  );
}

test("recorded images with a void cell everywhere teach nothing, and that is said", async () => {
  const nothing = recordedSource().map(({ features, labels }) => ({
    features,
    labels: int64(labels.shape, new Array<number>(labels.data.length).fill(255)),
  }));
  await expect(fitOn(nearestNeighbours, recordedSetting, nothing)).rejects.toThrow("no labelled pixel");
  await expect(fitOn(mahalanobis, recordedSetting, nothing)).rejects.toThrow("no labelled pixel");
  await expect(fitOn(vim, recordedSetting, nothing)).rejects.toThrow("no labelled pixel");
});
