import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { npyBytes } from "../../data/images/testing/npyBytes.js";
import { openResults } from "../../evaluation/results/openResults.js";
import { parseResult } from "../../evaluation/results/resultFile.js";
import { type Typed, typed } from "../terminal/testing/typed.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gssl-cli-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** `gssl score` with these options and more. */
const score = (given: object, ...more: string[]): Promise<Typed> =>
  typed("score", ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]), ...more);

/** Four images, in files. */
async function options() {
  const labels = Uint8Array.from({ length: 64 }, (_, i) => i % 3);
  const predicted = labels.map((label, i) => (i % 5 === 0 ? 3 : label));
  const uncertainty = Float32Array.from(labels, (_, i) => (i % 5 === 0 ? 0.5 : 0) + (i % 11) / 12);
  const save = async (name: string, bytes: Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  return {
    labels: await save("town.npy", npyBytes("|u1", [4, 4, 4], labels)),
    predicted: await save("my-net.npy", npyBytes("<i8", [4, 4, 4], BigInt64Array.from(predicted, BigInt))),
    uncertainty: await save("uncertainty.npy", npyBytes("<f4", [4, 4, 4], uncertainty)),
    examples: 2,
  };
}

test("--json prints the result file and nothing else", async () => {
  const { out, notes } = await score(await options(), "--json");
  expect(parseResult(Buffer.from(out), "stdout")).toMatchObject({
    dataset: "town",
    method: "my-net",
    images: 4,
    pixels: 64,
  });
  expect(notes).toContain("found classes 0 to 2");
});

test("without --json people get a few lines, and --to a run folder that compare reads", async () => {
  const run = join(folder, "run");
  const { out } = await score({ ...(await options()), classes: 3, threshold: 0.45, to: run });
  expect(out).toMatch(/my-net on town: 4 images, 64 scored pixels\naccuracy\s+0\.79/);
  expect(out).toContain("at 0.45: A_MD");
  expect(out).toContain("my-net.json");
  const [opened] = await openResults(run, () => {});
  expect(opened!.examples).toHaveLength(2);
  expect((await typed("compare", run, "--csv")).out.split("\n")[1]).toMatch(/^town,my-net,0\.796875,/);
  expect(JSON.parse((await typed("compare", run, "--json")).out)[0].rows[0]).toMatchObject({
    label: "my-net",
    auroc: { best: true },
  });
});

test("--unknown 255 is not overruled by the usual meaning of 255", async () => {
  const given = await options();
  const labels = Uint8Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 255 : i % 3));
  await writeFile(given.labels, npyBytes("|u1", [4, 4, 4], labels));
  const { out } = await score({ ...given, classes: 3, unknown: 255 }, "--json");
  expect(parseResult(Buffer.from(out), "stdout")).toMatchObject({ pixels: 64, accuracy: 26 / 64 });
});

test("a confidence given as uncertainty is suspected", async () => {
  const given = await options();
  const turned = Float32Array.from({ length: 64 }, (_, i) => (i % 5 === 0 ? 0 : 0.5) + (i % 11) / 12);
  await writeFile(given.uncertainty, npyBytes("<f4", [4, 4, 4], turned));
  const { notes } = await score({ ...given, classes: 3 }, "--json");
  expect(notes).toContain("is the uncertainty a confidence?");
});

test("options that make no sense are named", async () => {
  const given = await options();
  await expect(score({ ...given, policy: "papr" })).rejects.toMatchObject({
    message: '--policy is "papr"',
    hint: 'did you mean "paper"? known: paper, official, known',
    code: "bad-option",
  });
  await expect(score({ ...given, void: "255,x" })).rejects.toThrow('--void is "x", wanted numbers that are whole');
  await expect(score({ ...given, threshold: "" })).rejects.toThrow('--threshold is "", wanted a number');
  await expect(score({ ...given, threads: "0" })).rejects.toThrow('--threads is "0", wanted a whole number from 1');
  await expect(typed("compare", folder, "--csv", "--latex")).rejects.toThrow("--csv and --latex at once");
});

test("G5: compare passes over what has no results, says so, and refuses only where nothing has any", async () => {
  await score({ ...(await options()), to: join(folder, "run") });
  await mkdir(join(folder, "inspected"));
  await writeFile(join(folder, "notes.txt"), "not a result");
  const paths = ["inspected", "run", "notes.txt"].map((name) => join(folder, name));
  const { out, notes } = await typed("compare", ...paths, "--csv");
  expect(out).toContain("my-net");
  expect(notes).toContain(`note: no results in ${join(folder, "inspected")}\n`);
  expect(notes).toContain(`note: no results in ${join(folder, "notes.txt")}\n`);
  await expect(typed("compare", join(folder, "inspected"))).rejects.toThrow("no results in it");
});
