import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "../platform/files.js";
import { shellWord } from "../platform/printable.js";
import type { RunStory } from "../report/runStory.js";
import { sealedSteps } from "../runs/checkpoints.js";
import { runFiles } from "../runs/runFiles.js";
import { type LockState, lockState } from "../runs/runLock.js";
import type { RunState } from "./protocol.js";

/** What is known of a run from its log and its config. */
export interface Logged {
  /** The last step in the log; null where there is none. */
  readonly step: number | null;
  readonly story: RunStory | null;
}

export interface Judged {
  readonly state: RunState;
  readonly message: string;
  readonly command: string | null;
}

/** How a run is doing: from its lock, its last logged step, and what else lies in its folder. */
export async function judgeRun(folder: string, logged: Logged): Promise<Judged> {
  const lock = await lockState(folder);
  const { step, story } = logged;
  const steps = story === null ? null : story.stages.reduce((sum, stage) => sum + stage.steps, 0);
  if (lock.state === "held") return atWork(step, steps, story);
  if (lock.state === "elsewhere") return elsewhere(lock);
  if (lock.state === "foreign") {
    const message = "its lock is of another version of gssl, which does not say whether it still runs";
    return { state: "unknown", message, command: null };
  }
  if (story !== null && steps !== null && isFinished(folder, logged, steps)) {
    return {
      state: "finished",
      message: `finished after ${counted(steps)}`,
      command: `gssl evaluate ${shellWord(folder)} --on …`,
    };
  }
  const bundle = await bundleAfter(folder, step ?? 0);
  if (bundle !== null) {
    const message = `step ${bundle.step} was not finite, and training stopped: ${bundle.cause}`;
    return { state: "diverged", message, command: `gssl replay ${shellWord(bundle.folder)}` };
  }
  if (story === null) {
    if (step === null) return waiting(folder);
    return {
      state: "unknown",
      message: `there is no ${runFiles.config} beside the log: whether it still runs is unknown`,
      command: null,
    };
  }
  return notAtWork(folder, lock, { step: step ?? 0, steps: steps ?? 0 });
}

const counted = (steps: number): string => (steps === 1 ? "1 step" : `${steps} steps`);

function atWork(step: number | null, steps: number | null, story: RunStory | null): Judged {
  if (step === null)
    return { state: "preparing", message: "checking the data and preparing the first step", command: null };
  const over = steps !== null && step >= steps;
  const last = story?.solvesGamma ? "solving for γ" : "writing the weights";
  return { state: "running", message: over ? `the last step is done; ${last}` : "training", command: null };
}

const elsewhere = ({ pid, host }: LockState): Judged => ({
  state: "elsewhere",
  message: `in use by process ${pid} of ${host}; whether it still runs cannot be seen from here`,
  command: null,
});

const waiting = (folder: string): Judged => ({
  state: "waiting",
  message: existsSync(folder) ? "nothing was trained in this folder yet" : "there is no such folder yet",
  command: `gssl train … --to ${shellWord(folder)}`,
});

/** A run that gets more steps later has weights of fewer. One whose log was removed has them all the same. */
const isFinished = (folder: string, { step, story }: Logged, steps: number): boolean =>
  (step === null || step >= steps) &&
  existsSync(join(folder, runFiles.weights)) &&
  (story?.solvesGamma !== true || existsSync(join(folder, runFiles.gamma)));

async function notAtWork(
  folder: string,
  lock: LockState,
  { step, steps }: { readonly step: number; readonly steps: number },
): Promise<Judged> {
  const [saved = 0] = await sealedSteps(join(folder, runFiles.checkpoints)).catch(() => []);
  const place = step >= steps ? "after its last step" : `after step ${step} of ${steps}`;
  const goesOn = saved === 0 ? "from the start" : `after step ${saved}, its last checkpoint`;
  if (lock.state === "left") {
    const message = `its process ${lock.pid} exited unexpectedly (killed, out of memory or a power cut), ${place}; the same command goes on ${goesOn}`;
    return { state: "killed", message, command: null };
  }
  if (saved < step && step < steps) {
    const message = `ended ${place} by an error, which its terminal shows; the same command goes on ${goesOn}`;
    return { state: "ended", message, command: null };
  }
  return { state: "stopped", message: `stopped ${place}; the same command goes on from there`, command: null };
}

/** What a step that was not finite left, if it is the one after the last in the log. */
async function bundleAfter(
  folder: string,
  step: number,
): Promise<{ readonly step: number; readonly folder: string; readonly cause: string } | null> {
  const name = `non-finite-step-${step + 1}`;
  if (!(await readdir(folder).catch(() => [] as string[])).includes(name)) return null;
  const path = join(folder, name);
  const cause = await readIfThere(join(path, "cause.txt"), 2 ** 16).catch(() => null);
  return { step: step + 1, folder: path, cause: cause?.toString("utf8").trim() ?? "see the folder it left" };
}
