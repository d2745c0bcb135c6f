import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { openDataset } from "../data/open/openDataset.js";
import { resolveConfig } from "../runs/config.js";
import { writeSealedTensors } from "../runs/sealedTensors.js";
import { prepareRun } from "./prepareRun.js";

/** Prepare a run in a folder whose data set is there as well. */
async function prepared(root: string, query: string, settings: object = {}, onNote?: (note: string) => void) {
  const spec = `folder:${root}?${query}&classes=cityscapes-train-ids`;
  const config = resolveConfig({ source: spec, steps: 2, ...settings });
  const data = { source: await openDataset(spec), targets: [] };
  const pace = { threads: 1, workers: 0, checkpointEvery: 1, validateEvery: 1 };
  const request = { folder: root, config, data, validation: null, pace, overwrite: false, command: "gssl train" };
  return prepareRun(request, onNote);
}

const QUERY = "images=img&labels=gt";

test("a run goes on where its source is spelt in another order, not where its files changed", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 1]),
    });
    const { run } = await prepared(root, QUERY);
    await writeFiles(root, { "checkpoints/step-00000001.json": Buffer.from("{}") });
    expect((await prepared(root, "labels=gt&images=img")).run).toBe(run);
    // Another class in a file of the same name and length.
    const { size } = await stat(join(root, "gt/a.png"));
    await writeFiles(root, { "gt/a.png": idMap(32, 32, [0, 2]) });
    expect((await stat(join(root, "gt/a.png"))).size).toBe(size);
    await expect(prepared(root, "labels=gt&images=img")).rejects.toThrow('the files of "source" have changed since');
  }));

test("G3: a run without a step gives way to other settings; one with a step is protected, and takes more steps alone", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 1]),
    });
    const { run } = await prepared(root, QUERY, { batch: 4 });
    const corrected = await prepared(root, QUERY, { batch: 2 });
    expect(corrected.run).not.toBe(run);
    expect(JSON.parse(await readFile(join(root, "config.json"), "utf8"))).toMatchObject({ batch: 2 });
    await writeFiles(root, { "checkpoints/step-00000001.json": Buffer.from("{}") });
    await expect(prepared(root, QUERY, { batch: 4 })).rejects.toThrow("holds another run: batch: 4 here, 2 there");
    await expect(prepared(root, QUERY, { batch: 2, steps: 1 })).rejects.toThrow("steps: 1 here, 2 there");
    await finished(root, 2);
    const longer = await prepared(root, QUERY, { batch: 2, steps: 5 });
    expect([longer.run, longer.config.extended]).toEqual([corrected.run, [3]]);
    expect(JSON.parse(await readFile(join(root, "config.json"), "utf8"))).toMatchObject({ steps: 2, extended: [3] });
  }));

/** What a training leaves at its end. */
const finished = (root: string, step: number) =>
  writeSealedTensors(join(root, "weights.safetensors"), {}, { step: String(step) });

test("more steps for a run that is not finished are refused, its config is left alone, and its own commands go on", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 1]),
    });
    const config = () => readFile(join(root, "config.json"), "utf8");
    await prepared(root, QUERY, { steps: 100 });
    await writeFiles(root, { "checkpoints/step-00000060.json": Buffer.from("{}") });
    const before = await config();
    await expect(prepared(root, QUERY, { steps: 120 })).rejects.toMatchObject({
      message: `${root} holds another run: 120 steps here, 100 there, and it takes more only when it is finished (it is at 60 of 100)`,
      hint: expect.stringContaining("what it holds goes on with: gssl train"),
    });
    expect(await config()).toBe(before);
    expect((await prepared(root, QUERY, { steps: 100 })).config).toMatchObject({ steps: 100 });
    // Finished, it takes them; in the middle of these, the command of before goes on with them.
    await finished(root, 100);
    await prepared(root, QUERY, { steps: 120 });
    await expect(prepared(root, QUERY, { steps: 130 })).rejects.toThrow("(it is at 100 of 120)");
    const notes: string[] = [];
    const { config: going } = await prepared(root, QUERY, { steps: 100 }, (note) => notes.push(note));
    expect(going.extended).toEqual([20]);
    expect(notes).toEqual([`${root} was given 20 more steps since: it goes on with all of them`]);
  }));

test("F9: a damaged record of a run is named, with what to do", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 1]),
    });
    await prepared(root, QUERY);
    const path = join(root, "run.json");
    const text = await readFile(path, "utf8");
    const otherDigit = text.replace(
      /("run": "[0-9a-f]*)[0-9a-f]/,
      (_, start) => `${start}${text.includes(`${start}0`) ? 1 : 0}`,
    );
    expect(otherDigit).not.toBe(text);
    for (const wrong of [text.slice(0, 20), "{}", "[]", text.replace('"source":', '"sauce":'), otherDigit]) {
      await writeFile(path, wrong);
      await expect(prepared(root, QUERY), wrong).rejects.toThrow(`${path}: `);
    }
  }));
