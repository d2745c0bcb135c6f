import type { BaselineOptions } from "../methods/parts/baselineOptions.js";
import type { Method } from "../methods/parts/method.js";
import type { OnProgress } from "../platform/watching.js";
import type { TrainedRun } from "../runs/openRun.js";
import type { TrainEvent } from "../training/trainJob.js";
import { openValidated, refuseChanges } from "../training/validatedData.js";
import { baselineRuns, trainBaseline, untrained } from "./baselineRuns.js";

const PACE = { workers: 1, checkpointEvery: 500, validateEvery: 1_000_000 } as const;

export interface BaselineTraining {
  readonly baselines: BaselineOptions;
  readonly threads: number;
  readonly device: string;
  readonly cache: string;
  readonly command: string;
  readonly onProgress: OnProgress;
  readonly onNote: (message: string) => void;
  readonly onTraining: (network: string, event: TrainEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Train the networks that baselines need and do not have yet, one after the other. Stopped, it goes on next time. */
export async function trainBaselines(
  run: TrainedRun,
  methods: readonly Method[],
  { baselines, threads, device, cache, command, onProgress, onNote, onTraining, signal }: BaselineTraining,
): Promise<void> {
  const needed = baselineRuns(run.config, methods, baselines);
  if (needed.length === 0) return;
  const { source: spec } = run.config;
  const source = await openValidated(spec, {
    cache,
    onProgress: (what, done, total) => onProgress(`${what} ${spec}`, done, total),
  });
  const open = await untrained(run, needed, source.dataset);
  if (open.length === 0) return;
  const names = open.map(({ name }) => name).join(", ");
  onNote(
    `${open.length} of ${needed.length} networks of baselines to train first, ${open[0]!.config.steps} steps each: ${names}`,
  );
  await refuseChanges(source);
  for (const baseline of open) {
    const request = { source: source.dataset, pace: { ...PACE, threads, device }, command, signal };
    await trainBaseline(run, baseline, request, (event) => onTraining(baseline.name, event));
    onNote(`${baseline.name}: trained`);
  }
}
