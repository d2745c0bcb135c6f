import { dirname, join } from "node:path";
import type { Dataset } from "../../data/datasets/dataset.js";
import { nameOf } from "../../data/datasets/spec.js";
import { readUnlabelled } from "../../data/loader/readScaled.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { npyBytes } from "../../evaluation/results/npyFile.js";
import { distinctSlug } from "../../evaluation/results/slug.js";
import { deployable, deploymentGraph } from "../../inference/deployable.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import type { TrainedRun } from "../../runs/openRun.js";
import { gammaOfTraining } from "../export/chosenGamma.js";
import { draftInfo } from "../export/exportRun.js";
import { DeployedModel } from "../model/deployedModel.js";
import { modelBytes } from "../model/modelBytes.js";

export interface ProbabilityRequest {
  readonly runtime: Runtime;
  /** A run of γ-SSL. */
  readonly run: TrainedRun;
  readonly source: Dataset;
  readonly datasets: readonly Dataset[];
  readonly to: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/**
 * The distribution of Eq. 4 for every image: `TO/<data set>/<image>.npy`, float32 [H, W, K + 1], whose last class is "unknown".
 * Images are looked at as the deployed model does, at the height of training.
 */
export async function writeProbabilities(request: ProbabilityRequest): Promise<void> {
  const { runtime, run, source, datasets, to, onProgress } = request;
  const ready = await deployable(runtime, run, source, onProgress);
  const info = { ...draftInfo(ready, source, await gammaOfTraining(ready)), probabilities: true };
  const graph = await deploymentGraph(runtime, ready, info);
  const model = await DeployedModel.open(runtime, modelBytes(graph, info), "the model");
  try {
    const taken = new Set<string>();
    for (const dataset of datasets) {
      const folder = join(to, distinctSlug(nameOf(dataset.spec), taken));
      for (const [index, item] of dataset.items.entries()) {
        const image = await readUnlabelled(dataset, item, info.height);
        const { height, width, probabilities } = await model.predict(image);
        const file = join(folder, `${item.id}.npy`);
        await makeFolder(dirname(file));
        await writeAtomically(file, npyBytes([height, width, info.classes.length + 1], probabilities!));
        onProgress?.("writing probabilities of", index + 1, dataset.items.length);
      }
    }
  } finally {
    await model.close();
  }
}
