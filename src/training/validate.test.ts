import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeTinyRun } from "../../test/tinyRun.js";
import { readScaled } from "../data/loader/readScaled.js";
import { openDataset } from "../data/open/openDataset.js";
import { exportRun } from "../deployment/export/exportRun.js";
import { DeployedModel } from "../deployment/model/deployedModel.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import { deployable } from "../inference/deployable.js";
import { finalNetwork } from "../runs/inferenceNetwork.js";
import { openRun } from "../runs/openRun.js";
import { validate } from "./validate.js";

const CLASSES = 19;

test("A8: validation of γ-SSL measures what the exported model predicts, and the head beside it", async () => {
  const root = await mkdtemp(join(tmpdir(), "validate-"));
  try {
    const runtime = nodeRuntime();
    const spec = (place: string): string => `scenes:${place}?split=train&count=3&height=64&width=96`;
    await writeTinyRun(root, { source: spec("city"), targets: [spec("town")], classes: CLASSES, score: "softmax" });
    const open = (spec: string) => openDataset(spec, { cache: join(root, "scenes") });
    const [run, source, dataset] = [
      await openRun(root),
      await open(spec("city")),
      await open(spec("town").replace("train", "test")),
    ];

    const found = await validate(runtime, finalNetwork(run), { dataset, source });
    expect(Object.keys(found)).toEqual(["prototypes", "head"]);

    const gamma = {
      gamma: 0.5,
      from: "a test",
      certain: { mean: 0, deviation: 0, lowest: 0, images: 1, on: "" },
      place: null,
    };
    const ready = await deployable(runtime, run, source);
    const { bytes } = await exportRun({ runtime, deployable: ready, source, target: null, gamma });
    const model = await DeployedModel.open(runtime, bytes, "model.onnx");
    let [right, labelled] = [0, 0];
    const scored: { similarity: number; right: boolean }[] = [];
    for (const item of dataset.items) {
      const sample = await readScaled(dataset, item, run.config.view.height);
      const { predicted, similarity } = await model.predict(sample);
      sample.labels!.forEach((label, i) => {
        if (label >= CLASSES) return;
        labelled++;
        if (label === predicted[i]) right++;
        scored.push({ similarity: similarity[i]!, right: label === predicted[i] });
      });
    }
    await model.close();
    const { prototypes, head } = found as { prototypes: (typeof found)[string]; head: (typeof found)[string] };
    expect(prototypes.accuracy).toBeCloseTo(right / labelled, 3);
    expect(prototypes.auroc).toBeCloseTo(pairAuroc(scored), 3);
    expect(head).not.toEqual(prototypes);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

/** The share of pairs, one right and one wrong, in which the right one is surer; half for a tie. */
function pairAuroc(scored: readonly { similarity: number; right: boolean }[]): number {
  const sorted = [...scored].sort((a, b) => a.similarity - b.similarity);
  let [wrongs, won] = [0, 0];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    let [tiedRight, tiedWrong] = [0, 0];
    for (end = start; end < sorted.length && sorted[end]!.similarity === sorted[start]!.similarity; end++) {
      if (sorted[end]!.right) tiedRight++;
      else tiedWrong++;
    }
    won += tiedRight * (wrongs + tiedWrong / 2);
    wrongs += tiedWrong;
  }
  return won / (wrongs * (scored.length - wrongs));
}
