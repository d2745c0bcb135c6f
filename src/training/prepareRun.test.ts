import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { openDataset } from "../data/datasets/openDataset.js";
import { resolveConfig } from "../runs/config.js";
import { prepareRun } from "./prepareRun.js";

test("a run goes on where its source is spelt in another order, not where its files changed", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 1]),
    });
    const prepared = async (query: string) => {
      const spec = `folder:${root}?${query}&classes=cityscapes-train-ids`;
      const config = resolveConfig({ source: spec, steps: 2 });
      const data = { source: await openDataset(spec), targets: [] };
      const pace = { threads: 1, workers: 0, checkpointEvery: 1, validateEvery: 1 };
      return prepareRun({ folder: root, config, data, validation: null, pace, fresh: false, command: "gssl train" });
    };
    const { run } = await prepared("images=img&labels=gt");
    expect((await prepared("labels=gt&images=img")).run).toBe(run);
    await writeFiles(root, { "gt/a.png": idMap(32, 32, [0, 1, 2, 5, 7]) });
    await expect(prepared("labels=gt&images=img")).rejects.toThrow('the files of "source" have changed since');
  }));
