import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { promisify } from "node:util";
import { z } from "zod";

/** A process that cannot be mistaken for a later one with the same number. */
export const processSchema = z.strictObject({ pid: z.int(), born: z.string() });
export type Process = z.infer<typeof processSchema>;

/** Where numbers of processes mean something: a machine, since it was started, and on Linux a namespace of processes. */
export const placeSchema = z.strictObject({ host: z.string(), boot: z.string(), namespace: z.string() });
export type ProcessPlace = z.infer<typeof placeSchema>;

const textOf = (path: string): Promise<string> =>
  readFile(path, "utf8").then(
    (text) => text.trim(),
    () => "",
  );

export async function placeHere(): Promise<ProcessPlace> {
  const machine = await textOf("/etc/machine-id");
  const boot = await textOf("/proc/sys/kernel/random/boot_id");
  return {
    host: `${hostname()} ${machine}`.trim(),
    // Elsewhere than on Linux, when the machine was started, in seconds.
    boot: boot === "" ? String(Math.round(Date.now() / 1000 - uptime())) : boot,
    namespace: await readlink("/proc/self/ns/pid").catch(() => ""),
  };
}

/** Clocks are set now and then; machines take longer to start. */
const SAME_BOOT_S = 60;

/**
 * Whether numbers of processes there can be looked up here: "same"; "over" where that machine was started again since, so that none
 * of its processes lives; "elsewhere" on another machine or in another container, about which nothing can be said.
 */
export function comparePlaces(there: ProcessPlace, here: ProcessPlace): "same" | "over" | "elsewhere" {
  if (there.host !== here.host) return "elsewhere";
  const seconds = Math.abs(Number(there.boot) - Number(here.boot));
  if (there.boot !== here.boot && !(seconds <= SAME_BOOT_S)) return "over";
  return there.namespace === here.namespace ? "same" : "elsewhere";
}

/** When a process was started, as Linux (`proc`) or `ps` tells it; nothing on Windows. */
export async function processOf(pid: number, proc = "/proc"): Promise<Process> {
  const fields = await statusOf(pid, proc);
  return { pid, born: fields === null ? await startByPs(pid) : fields[19]! };
}

export async function isAlive({ pid, born }: Process, proc = "/proc"): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // A zombie is dead, but its parent has not asked how it ended.
  return (await processOf(pid, proc)).born === born && (await statusOf(pid, proc))?.[0] !== "Z";
}

/** Fields of /proc/<pid>/stat after the name, which is in brackets and may hold spaces: the state is the first, the start the 20th. */
async function statusOf(pid: number, proc: string): Promise<string[] | null> {
  const text = await textOf(`${proc}/${pid}/stat`);
  return text === "" ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

const startByPs = (pid: number): Promise<string> =>
  promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], { env: { ...process.env, LC_ALL: "C" } }).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
