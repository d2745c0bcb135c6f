import { dirname, join } from "node:path";
import { classesOf } from "../../data/datasets/classesOf.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { nameOf } from "../../data/datasets/spec.js";
import { readUnlabelled } from "../../data/loader/readScaled.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats } from "../../engine/tensor/hostTensor.js";
import { npyBytes } from "../../evaluation/results/npyFile.js";
import { distinctSlug } from "../../evaluation/results/slug.js";
import { deployable, deploymentGraph } from "../../inference/deployable.js";
import { openBytes } from "../../inference/deployedProgram.js";
import { imageOutputs } from "../../inference/imageOutputs.js";
import { withProbabilities } from "../../methods/parts/deployedSignature.js";
import { writeAtomically } from "../../platform/atomicFile.js";
import { makeFolder } from "../../platform/files.js";
import type { TrainedRun } from "../../runs/openRun.js";
import { gammaOfTraining } from "../export/chosenGamma.js";

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
  const { gamma } = await gammaOfTraining(ready);
  const { probabilities } = (await deploymentGraph(runtime, ready, { gamma, probabilities: true })).outputs;
  const classes = classesOf(source).length;
  const { inputs, outputs } = withProbabilities(classes);
  const signature = { inputs, outputs: new Map([["probabilities", outputs.get("probabilities")!]]) };
  const bytes = openBytes({ outputs: { probabilities: probabilities! } }, signature, {});
  const program = await runtime.load(bytes, signature);
  const { view, options } = ready.config;
  const model = { program, name: "the trained network", height: view.height, score: options.score, classes };
  try {
    const taken = new Set<string>();
    for (const dataset of datasets) {
      const folder = join(to, distinctSlug(nameOf(dataset.spec), taken));
      for (const [index, item] of dataset.items.entries()) {
        const image = await readUnlabelled(dataset, item, view.height);
        const found = await imageOutputs(model, image, item.id);
        const file = join(folder, `${item.id}.npy`);
        await makeFolder(dirname(file));
        await writeAtomically(
          file,
          npyBytes([image.height, image.width, classes + 1], floats(found.probabilities, "probabilities")),
        );
        onProgress?.("writing probabilities of", index + 1, dataset.items.length);
      }
    }
  } finally {
    await program.close();
  }
}
