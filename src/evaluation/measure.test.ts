import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../test/folders.js";
import { openDataset } from "../data/open/openDataset.js";
import { measure } from "./measure.js";
import type { Predictor } from "./predictors/predictor.js";

test("calibration is counted where one minus uncertainty is a probability, and nowhere else", () =>
  withFolder(async (root) => {
    await writeFiles(root, {
      "img/a.png": await testImage(32, 32).png().toBuffer(),
      "gt/a.png": idMap(32, 32, [0, 0, 1, 255]),
    });
    const dataset = await openDataset(`folder:${root}?images=img&labels=gt&classes=cityscapes-train-ids`);
    const predictor: Predictor = {
      entries: [
        { method: "sure", settings: {}, probability: true },
        { method: "loud", settings: {} },
      ],
      batchSize: 1,
      // Class 0 everywhere, with probability 0.75: right for two of three labelled pixels.
      predict: async () => [
        [0.25, 3].map((u) => ({ predicted: new Uint8Array(1024), uncertainty: new Float32Array(1024).fill(u) })),
      ],
      close: async () => {},
    };
    const [sure, loud] = await measure(predictor, "paper", { dataset, height: 32 });
    expect(sure!.confidence!.ece()).toBeCloseTo(0.75 - 2 / 3, 12);
    expect(sure!.confidence!.brier()).toBeCloseTo((2 * 0.25 ** 2 + 0.75 ** 2) / 3, 12);
    expect(loud!.confidence).toBeUndefined();
  }));
