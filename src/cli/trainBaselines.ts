import { baselineRuns, trainBaseline, untrained } from "../evaluation/baselineRuns.js";
import type { BaselineOptions } from "../methods/baselineOptions.js";
import type { Method } from "../methods/method.js";
import { UserError } from "../platform/errors.js";
import type { TrainedRun } from "../runs/openRun.js";
import { openValidated, refuseChanges } from "../training/validatedData.js";
import { commandLine } from "./commandLine.js";
import { type Screen, TrainStatus } from "./trainStatus.js";

const PACE = { workers: 1, checkpointEvery: 500, validateEvery: 1_000_000 } as const;

/** Train the networks that baselines need and do not have yet, one after the other, saying so. Stopped, it goes on next time. */
export async function trainBaselines(
  run: TrainedRun,
  methods: readonly Method[],
  { baselines, threads, cache, screen }: { baselines: BaselineOptions; threads: number; cache: string; screen: Screen },
): Promise<void> {
  const needed = baselineRuns(run.config, methods, baselines);
  if (needed.length === 0) return;
  const source = await openValidated(run.config.source, {
    cache,
    onProgress: (what, done, total) => screen.passing(`${what} ${run.config.source}: ${done}/${total}`),
  });
  const open = await untrained(run, needed, source.dataset);
  if (open.length === 0) return;
  const names = open.map(({ name }) => name).join(", ");
  screen.line(
    `${open.length} of ${needed.length} networks of baselines to train first, ${open[0]!.config.steps} steps each: ${names}`,
  );
  await refuseChanges(source);
  for (const baseline of open) {
    const status = new TrainStatus(screen, baseline.name);
    const request = { source: source.dataset, pace: { ...PACE, threads }, command: commandLine() };
    const ending = await trainBaseline(run, baseline, request, (event) => status.show(event));
    if (ending === "stopped") {
      throw new UserError(`stopped while training ${baseline.name}; nothing is lost`, {
        hint: "the same command goes on from here",
      });
    }
    screen.line(`${baseline.name}: trained`);
  }
}
