import { join } from "node:path";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { openDataset } from "../data/open/openDataset.js";
import { usualBaselines } from "../methods/parts/baselineOptions.js";
import type { Settings } from "../methods/parts/method.js";
import { methodNamed } from "../methods/registry.js";
import { resolveConfig } from "../runs/config.js";
import { choiceKey, type KeyContext, resultKey } from "./methodKey.js";

/** A context with data sets of one image each; what it says can be changed. */
async function contextIn(root: string) {
  const open = async (name: string, id: number): Promise<Dataset> => {
    await writeFiles(join(root, `${name}-${id}`), {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, id),
    });
    return openDataset(`folder:${root}/${name}-${id}?images=img&labels=gt&classes=cityscapes-train-ids`);
  };
  const config = resolveConfig({ source: "a" });
  const validation = await open("validation", 0);
  const context: KeyContext = {
    run: { folder: root, config, stage: null, weights: {}, classes: 19 },
    source: await open("source", 0),
    validation,
    baselines: usualBaselines,
    choosing: {
      by: "source-val",
      on: validation,
      policy: "paper",
      networks: { of: async () => ({ file: "weights.safetensors", fingerprint: "abc" }) },
    },
  };
  return { open, context, measured: await open("measured", 0) };
}

test("a choice is made again when anything it depends on changes: the source, too, where the method is fitted on it", () =>
  withFolder(async (root) => {
    const { open, context } = await contextIn(root);
    const other = await open("other", 1);
    const { choosing, run } = context;
    const [knn, softmax] = [methodNamed("knn"), methodNamed("max-softmax")];
    const keyOf = (change: Partial<KeyContext>, method = knn, candidates: Settings[] = [{ k: 1 }, { k: 2 }]) =>
      choiceKey(method, candidates, { ...context, ...change });
    const key = await keyOf({});
    expect(await keyOf({})).toBe(key);
    const changes: Partial<KeyContext>[] = [
      { source: other },
      { choosing: { ...choosing, on: other } },
      { choosing: { ...choosing, by: "best-on-test" } },
      { choosing: { ...choosing, policy: "official" } },
      {
        choosing: { ...choosing, networks: { of: async () => ({ file: "weights.safetensors", fingerprint: "def" }) } },
      },
      { run: { ...run, config: { ...run.config, view: { ...run.config.view, height: 64 } } } },
    ];
    for (const change of changes) expect(await keyOf(change), JSON.stringify(change)).not.toBe(key);
    expect(await keyOf({}, knn, [{ k: 1 }, { k: 3 }])).not.toBe(key);
    // A method that is not fitted knows nothing of the source.
    expect(await keyOf({ source: other }, softmax)).toBe(await keyOf({}, softmax));
  }));

test("a result depends on the candidates it has, and not on those of other methods", () =>
  withFolder(async (root) => {
    const { open, context, measured } = await contextIn(root);
    const keyOf = (name: string, options: object = {}, dataset = measured) =>
      resultKey(methodNamed(name), dataset, { ...context, baselines: { ...usualBaselines, ...options } });
    for (const [name, options] of [
      ["mc-dropout-pe", { passes: [2, 4] }],
      ["mc-dropout-pe", { rates: [0.1] }],
      ["ensemble-pe-5", { average: "logits" }],
      ["gmm", { prior: "even" }],
    ] as const) {
      expect(await keyOf(name, options), name).not.toBe(await keyOf(name));
      expect(await keyOf("max-softmax", options)).toBe(await keyOf("max-softmax"));
    }
    expect(await keyOf("mc-dropout-pe", { passes: [2, 4] })).not.toBe(
      await keyOf("mc-dropout-pe", { passes: [4, 16] }),
    );
    expect(await keyOf("ensemble-pe-5", { memory: "high" })).toBe(await keyOf("ensemble-pe-5"));
    expect(await keyOf("entropy", {}, await open("measured", 1))).not.toBe(await keyOf("entropy"));
  }));
