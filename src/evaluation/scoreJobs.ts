import { type JobRunner, WorkerPool } from "../platform/workerPool.js";
import { type CounterPart, PixelCounter } from "./pixelCounter.js";
import { type Rules, readExample, type Sources } from "./readExample.js";
import { type Maps, openMaps } from "./results/maps.js";
import type { PolicyName } from "./results/resultOf.js";

/** Where the predictions lie, and how they are scored; as in `ScoreOptions`. */
export interface ScoreStart {
  readonly labels: string;
  readonly predicted: string;
  readonly uncertainty: string;
  readonly policy: PolicyName;
}

export type ScoreJob =
  /** Read and count some images. */
  | { readonly kind: "count"; readonly ids: readonly string[]; readonly classes: number; readonly rules: Rules }
  /** The largest value in some labels that is none of `others`; 0 when there is none. */
  | { readonly kind: "largest"; readonly ids: readonly string[]; readonly others: readonly number[] };

/** Counts for "count", a number for "largest". */
export type ScorePool = WorkerPool<ScoreStart, ScoreJob, CounterPart | number>;

export const openScorePool = (start: ScoreStart, threads: number): ScorePool =>
  new WorkerPool({ module: import.meta.url, openRunner }, start, threads);

/** Called by `platform/jobThread.ts`. @public */
export function openRunner({
  labels,
  predicted,
  uncertainty,
  policy,
}: ScoreStart): JobRunner<ScoreJob, CounterPart | number> {
  const opened: Maps[] = [];
  const open = async (path: string, role: string): Promise<Maps> => {
    const maps = await openMaps(path, role);
    opened.push(maps);
    return maps;
  };
  let sources: Sources | undefined;
  let spare: PixelCounter | undefined;
  return {
    async run(job) {
      sources ??= {
        labels: await open(labels, "labels"),
        predicted: await open(predicted, "predicted"),
        uncertainty: await open(uncertainty, "uncertainty"),
      };
      if (job.kind === "largest") return largestLabel(sources, job.ids, job.others);
      const counter = spare ?? new PixelCounter({ classes: job.classes, policy });
      spare = undefined; // if an image is refused, what was counted before it is dropped
      for (const id of job.ids) counter.add(await readExample(id, sources, job.rules));
      spare = counter;
      return counter.takePart();
    },
    async close() {
      for (const maps of opened) await maps.close();
    },
  };
}

async function largestLabel({ labels }: Sources, ids: readonly string[], others: readonly number[]): Promise<number> {
  let largest = 0;
  for (const id of ids) {
    const { values } = await labels.read(id);
    for (let i = 0; i < values.length; i++) {
      if (values[i]! > largest && !others.includes(values[i]!)) largest = values[i]!;
    }
  }
  return largest;
}
