import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../../test/folders.js";
import { random } from "../../engine/tensor/random.js";
import { accuracyOfDetection, type Counts, fBeta } from "../../metrics/atThreshold.js";
import { everyThreshold, type Pixel } from "../../metrics/testing/reference.js";
import { studyThreshold } from "./studyThreshold.js";
import { pixels, writtenRun } from "./testing/writtenRun.js";

/** Right below 0.25 and wrong above; and the same with one of each turned around. */
const two = [pixels([0.1, 0.2], [0.3, 0.4]), pixels([0.1, 0.4], [0.2, 0.3])];

test("H-1: two images by hand, each in turn the one that the threshold is chosen on", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [{ dataset: "town", method: "ours", images: two, gamma: 0.35 }]);
    const { rows } = await studyThreshold([run], { labelled: [1], trials: 60 });
    // γ is between 0.3 and 0.4: 3 of 4 pixels of the first image, 1 of 4 of the second. In hindsight 0.1 or 0.2: 6 of 8.
    expect(rows[0]).toMatchObject({ labelled: 0, trials: 1, median: 0.5, mean: 0.5, hindsight: 0.75 });
    const { rows: f05 } = await studyThreshold([run], { labelled: [1], objective: "f05" });
    expect(f05[0]!.median).toBeCloseTo(3.75 / 7, 6); // 3 right and 3 wrong pixels certain, 1 right one not
    // Chosen on the first, 0.2 gets 2 of 4 on the second; chosen on the second, 0.1 gets 3 of 4 on the first.
    expect(rows[1]).toMatchObject({ labelled: 1, trials: 60, lowest: 0.5, highest: 0.75, hindsight: 0.75 });
    const trials = (await readFile(join(folder, "studies", "threshold-amd-town.csv"), "utf8")).trim().split("\n");
    const pairs = trials.slice(1).map((line) => line.split(",").slice(4).map(Number) as [number, number]);
    expect(pairs).toHaveLength(60);
    for (const [threshold, amd] of pairs) expect(amd).toBe(threshold > 0.15 ? 0.5 : 0.75);
    expect(rows[1]!.mean).toBeCloseTo(pairs.reduce((sum, [, amd]) => sum + amd, 0) / 60, 12);
  }));

test.each([
  ["amd", accuracyOfDetection],
  ["f05", (counts: Counts) => fBeta(counts)],
] as const)(
  "%s of every trial is that of a slow loop over pixels, and every choice of images occurs",
  (objective, measure) =>
    withFolder(async (folder) => {
      const { uniform } = random(3);
      const images = Array.from({ length: 5 }, () =>
        Array.from({ length: 24 }, (): Pixel => {
          const right = uniform() < 0.6;
          return { u: Math.fround(right ? uniform() * uniform() : uniform()), right };
        }),
      );
      const run = await writtenRun(folder, [{ dataset: "town", method: "ours", images }]);
      await studyThreshold([run], { labelled: [2], trials: 200, objective });
      const lines = (await readFile(join(folder, "studies", `threshold-${objective}-town.csv`), "utf8"))
        .trim()
        .split("\n");
      const tried = new Set(lines.slice(1).map((line) => Number(line.split(",")[5]).toFixed(9)));

      const expected = new Set<string>();
      for (let a = 0; a < 5; a++)
        for (let b = a + 1; b < 5; b++) {
          const chosen = everyThreshold([...images[a]!, ...images[b]!]);
          const top = Math.max(...chosen.map(measure));
          // The study has its thresholds where pixels of any image are: between two of the chosen images', the last.
          const next = chosen[chosen.findLastIndex((point) => measure(point) === top) + 1]?.threshold ?? Infinity;
          const rest = images.filter((_, i) => i !== a && i !== b).flat();
          const all = images.flat().map(({ u }) => u);
          const threshold = Math.max(...all.filter((u) => u < next), Number.NEGATIVE_INFINITY);
          const at = everyThreshold(rest).findLast((point) => point.threshold <= threshold)!;
          expected.add(measure(at).toFixed(9));
        }
      expect(tried).toEqual(expected);
    }),
);

test("a study repeats with its seed, and writes plot, trials and table of each data set", () =>
  withFolder(async (folder) => {
    const dataset = (place: string) => `scenes:${place}?split=test&count=3&seed=1`;
    const images = [...two, pixels([0.2, 0.25], [0.22, 0.9])];
    const run = await writtenRun(join(folder, "run"), [
      { dataset: dataset("town"), method: "max-softmax", images },
      { dataset: dataset("town"), method: "gamma-ssl", images, gamma: 0.3 },
      { dataset: dataset("forest"), method: "gamma-ssl", images, gamma: 0.3 },
    ]);
    const notes: string[] = [];
    const options = { trials: 20, onNote: (note: string) => void notes.push(note) };
    const once = await studyThreshold([run], { ...options, to: join(folder, "a") });
    const again = await studyThreshold([run], { ...options, to: join(folder, "b") });
    const other = await studyThreshold([run], { ...options, seed: 1, to: join(folder, "c") });
    const names = [
      "threshold-amd.csv",
      ...["forest", "town"].flatMap((place) => ["svg", "csv"].map((end) => `threshold-amd-scenes-${place}.${end}`)),
    ];
    expect(once.files).toEqual(names.map((name) => join(folder, "a", name)));
    for (const name of names) {
      expect(await readFile(join(folder, "a", name), "utf8")).toBe(await readFile(join(folder, "b", name), "utf8"));
    }
    expect(other.csv).not.toBe(once.csv);
    expect(again.rows).toEqual(once.rows);
    expect(notes[0]).toMatch(/3 images, so 5, 10, 20, 50 would leave none to test on/);
    // Only the method with a γ has a row for no labelled image.
    expect(once.rows.filter(({ labelled }) => labelled === 0).map(({ method }) => method)).toEqual([
      "gamma-ssl",
      "gamma-ssl",
    ]);
    expect(once.tables.map(({ title }) => title.split(":").slice(0, 2).join(":"))).toEqual([
      "scenes:forest",
      "scenes:town",
    ]);
    expect(once.tables[1]!.rows.map(({ cells }) => cells.slice(0, 2).join(" ").trim())).toEqual([
      ...["max-softmax 1", "2", "all 3"],
      ...["gamma-ssl 0 (γ)", "1", "2", "all 3"],
    ]);
  }));

test("what cannot be studied is refused by name", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(join(folder, "run"), [{ dataset: "town", method: "gamma-ssl", images: two }]);
    const alone = await writtenRun(join(folder, "alone"), [{ dataset: "town", method: "m", images: two.slice(1) }]);
    await expect(studyThreshold([folder])).rejects.toThrow(`${folder}: no results in it`);
    await expect(studyThreshold([join(folder, "none")])).rejects.toThrow("there is no run folder");
    await expect(studyThreshold([run], { methods: ["gama-ssl"] })).rejects.toMatchObject({
      message: expect.stringContaining('no results of "gama-ssl"'),
      hint: 'did you mean "gamma-ssl"? known: gamma-ssl',
      code: "unknown-name",
    });
    await expect(studyThreshold([alone])).rejects.toMatchObject({
      message: expect.stringContaining("town: 1 image with labels"),
      hint: "evaluate on more images",
    });
    await expect(studyThreshold([run], { labelled: [2] })).rejects.toMatchObject({
      message: expect.stringContaining("town: 2 images with labels"),
      hint: "choose on at most 1: --labelled",
    });
    expect(existsSync(join(run, "studies"))).toBe(false);
  }));

test("a sketch that is damaged or missing is refused, and nothing is written", () =>
  withFolder(async (folder) => {
    const run = await writtenRun(folder, [{ dataset: "town", method: "m", images: two }]);
    const sketch = join(run, "results", "town", "m.sketch");
    const bytes = await readFile(sketch);
    bytes[bytes.length - 3]! ^= 4;
    await writeFile(sketch, bytes);
    await expect(studyThreshold([run])).rejects.toThrow(/m\.sketch.*damaged|m\.sketch.*written/);
    await rm(sketch);
    await expect(studyThreshold([run])).rejects.toThrow("m.sketch is missing");
    expect(existsSync(join(run, "studies"))).toBe(false);
  }));

test("results whose labels say nothing are left out, and refused where there are no others", () =>
  withFolder(async (folder) => {
    const image = [{ u: 0.5, right: true }]; // one label value in the whole set
    const run = await writtenRun(folder, [{ dataset: "hidden", method: "m", images: [image, image] }]);
    const notes: string[] = [];
    await expect(studyThreshold([run], { onNote: (note) => void notes.push(note) })).rejects.toThrow("has a number");
    expect(notes).toEqual([expect.stringContaining("m.json has no numbers")]);
  }));
