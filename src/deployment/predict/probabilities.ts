import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Dataset } from "../../data/datasets/dataset.js";
import { openDataset } from "../../data/open/openDataset.js";
import { openDevice } from "../../engine/runtime/device.js";
import { cacheFolder } from "../../platform/cacheFolder.js";
import { type Computing, cancellable, type Watching } from "../../platform/watching.js";
import { openRun } from "../../runs/openRun.js";
import { writeProbabilities } from "./writeProbabilities.js";

/** Which images, and where to. */
export interface ProbabilitiesOptions extends Omit<Watching, "onNote">, Omit<Computing, "command"> {
  /** Data sets, as specs. */
  readonly on: readonly string[];
  /** Folder; each run and data set has a folder in it. */
  readonly to: string;
}

/** Write K + 1 class probabilities of each image (Eq. 4) as .npy, for the runs of γ-SSL among some runs. */
export async function probabilitiesOf(folders: readonly string[], options: ProbabilitiesOptions): Promise<void> {
  const { on, to, threads = availableParallelism(), cache = cacheFolder() } = options;
  const runtime = await openDevice({ threads, device: options.device });
  const open = (spec: string): Promise<Dataset> => openDataset(spec, { cache });
  const datasets: Dataset[] = [];
  for (const spec of on) datasets.push(await open(spec));
  for (const folder of folders) {
    const run = await openRun(folder);
    if (run.config.method !== "gamma-ssl") continue;
    await writeProbabilities({
      runtime,
      run,
      source: await open(run.config.source),
      datasets,
      to: join(to, basename(resolve(folder))),
      onProgress: cancellable(options),
    });
  }
}
