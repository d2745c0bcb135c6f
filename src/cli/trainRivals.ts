import type { BaselineOptions } from "../evaluation/baselineOptions.js";
import type { MethodName } from "../evaluation/methodNames.js";
import { rivalRuns, trainRival, untrained } from "../evaluation/rivalRuns.js";
import { UserError } from "../platform/errors.js";
import type { TrainedRun } from "../runs/openRun.js";
import { openSound, refuseChanges } from "../training/soundData.js";
import { commandLine } from "./commandLine.js";
import { type Screen, TrainStatus } from "./trainStatus.js";

const PACE = { workers: 1, checkpointEvery: 500, validateEvery: 1_000_000 } as const;

/** Train the networks that rivals need and do not have yet, one after the other, saying so. Stopped, it goes on next time. */
export async function trainRivals(
  run: TrainedRun,
  methods: readonly MethodName[],
  { rivals, threads, cache, screen }: { rivals: BaselineOptions; threads: number; cache: string; screen: Screen },
): Promise<void> {
  const needed = rivalRuns(run.config, methods, rivals);
  const open = await untrained(run, needed);
  if (open.length === 0) return;
  const names = open.map(({ name }) => name).join(", ");
  screen.line(
    `${open.length} of ${needed.length} networks of rivals to train first, ${open[0]!.config.steps} steps each: ${names}`,
  );
  const source = await openSound(run.config.source, {
    cache,
    onProgress: (what, done, total) => screen.passing(`${what} ${run.config.source}: ${done}/${total}`),
  });
  await refuseChanges(source);
  for (const rival of open) {
    const status = new TrainStatus(screen, rival.name);
    const request = { source: source.dataset, pace: { ...PACE, threads }, command: commandLine() };
    const ending = await trainRival(run, rival, request, (event) => status.show(event));
    if (ending === "stopped") {
      throw new UserError(`stopped while training ${rival.name}; nothing is lost`, {
        hint: "the same command goes on from here",
      });
    }
    screen.line(`${rival.name}: trained`);
  }
}
