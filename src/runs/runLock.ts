import { existsSync } from "node:fs";
import { mkdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { comparePlaces, isAlive, placeHere, placeSchema, processOf, processSchema } from "./processes.js";

/** Who may write to a run folder: the command somebody started, and the child that trains for it. */
const holderSchema = z.strictObject({
  command: processSchema,
  trainer: processSchema.nullable(),
  place: placeSchema,
});
type Holder = z.infer<typeof holderSchema>;

/** An orphaned trainer notices between two steps, and ends. */
const ORPHAN_PATIENCE_MS = 120_000;
/** The guard is held for a few file operations; one that is seen for longer was left by a killed process. */
const GUARD_PATIENCE_MS = 5_000;

export interface Waiting {
  readonly stopped?: () => boolean;
  readonly onWait?: (message: string) => void;
}

/**
 * Holds a run folder for one process at a time. A lock whose holder is dead is taken over; one of another machine or container, of
 * which that cannot be told, is not.
 */
export class RunLock {
  readonly #path: string;
  readonly #holder: Holder;

  private constructor(path: string, holder: Holder) {
    this.#path = path;
    this.#holder = holder;
  }

  /** Null where `stopped` came true while it waited. `onWait` is told what is waited for. */
  static async take(folder: string, { stopped, onWait }: Waiting = {}): Promise<RunLock | null> {
    const path = lockPath(folder);
    const ours: Holder = { command: await processOf(process.pid), trainer: null, place: await placeHere() };
    const until = performance.now() + ORPHAN_PATIENCE_MS;
    for (let tries = 0; stopped?.() !== true; tries++) {
      const orphan = await guarded(path, async () => {
        const holder = await readHolder(path);
        const where = holder === null ? "over" : comparePlaces(holder.place, ours.place);
        if (holder !== null && where === "elsewhere") {
          throw new UserError(
            `${folder} is in use by process ${holder.command.pid} of ${holder.place.host}; whether it still runs cannot be seen from here`,
            { hint: `if it has ended, remove ${path}` },
          );
        }
        if (holder !== null && where === "same") {
          if (await isAlive(holder.command)) {
            throw new UserError(`${folder} is in use by process ${holder.command.pid}`, {
              hint: `wait for it, stop it, or use another run folder; if that process is no training, remove ${path}`,
            });
          }
          if (holder.trainer !== null && (await isAlive(holder.trainer))) return holder.trainer;
        }
        await writeAtomically(path, JSON.stringify(ours));
        return null;
      });
      if (orphan === null) return new RunLock(path, ours);
      if (tries === 0) onWait?.(`waiting for process ${orphan.pid}, left over from an earlier training, to end`);
      if (performance.now() > until) {
        throw new UserError(`${folder} is still written to by process ${orphan.pid}, whose parent is gone`, {
          hint: `end it (kill ${orphan.pid}) and try again`,
        });
      }
      await sleep(20);
    }
    return null;
  }

  /** The child that will write to the folder. Until this returns it must not. */
  async lend(pid: number): Promise<void> {
    await writeAtomically(this.#path, JSON.stringify({ ...this.#holder, trainer: await processOf(pid) }));
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** Who holds a run folder, as far as can be told from here. */
export interface LockState {
  /**
   * "left": its holder is gone without giving it back. "elsewhere": held on another machine or in another container. "foreign": there is a
   * lock that this version cannot read.
   */
  readonly state: "free" | "held" | "left" | "elsewhere" | "foreign";
  readonly pid: number | null;
  readonly host: string | null;
}

/** Look at the lock of a run folder without taking it. */
export async function lockState(folder: string): Promise<LockState> {
  const path = lockPath(folder);
  const holder = await readHolder(path);
  if (holder === null) return { state: existsSync(path) ? "foreign" : "free", pid: null, host: null };
  const { command, trainer, place } = holder;
  const found = { pid: command.pid, host: place.host };
  const where = comparePlaces(place, await placeHere());
  if (where === "elsewhere") return { ...found, state: where };
  const alive = where === "same" && ((await isAlive(command)) || (trainer !== null && (await isAlive(trainer))));
  return { ...found, state: alive ? "held" : "left" };
}

const lockPath = (folder: string): string => join(folder, "run.lock");

async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null; // Locks are written whole: this is none of ours.
  }
}

/** Reading who holds the lock and taking it must not be interleaved with another process doing the same. */
async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  const guard = `${path}.guard`;
  // By our own clock: that of the file system may be another one.
  let seen = { born: Number.NaN, since: 0 };
  for (;;) {
    try {
      await mkdir(guard);
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new UserError(`cannot lock ${path}: ${(cause as Error).message}`, {
          hint: "is the folder read-only?",
          cause,
        });
      }
      const born = await stat(guard).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.NaN,
      );
      if (born !== seen.born) seen = { born, since: performance.now() };
      if (performance.now() - seen.since > GUARD_PATIENCE_MS) await rmdir(guard).catch(() => {});
      else await sleep(5);
    }
  }
  try {
    return await work();
  } finally {
    await rmdir(guard).catch(() => {});
  }
}
