import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TrainEvent } from "../src/training/trainJob.js";

/** A training so small that a step takes milliseconds, with everything a large one has: drawn scenes, dropout, AdamW. */
export const tinyTraining = [
  ...["--source", "scenes:city?split=train&count=8&height=32&width=64"],
  ...["--width", "0.125", "--features", "16", "--batch", "2", "--crop", "32x48", "--height", "32"],
];

/** `gssl train`, as built, in a process group of its own. */
export class TrainProcess {
  readonly #child: ChildProcess;
  readonly events: TrainEvent[] = [];
  readonly ended: Promise<{ readonly code: number; readonly stderr: string }>;

  constructor(options: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(process.execPath, ["dist/cli/main.js", "train", "--json", ...options], {
      detached: true,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    createInterface(this.#child.stdout!).on("line", (line) => this.events.push(JSON.parse(line) as TrainEvent));
    let stderr = "";
    this.#child.stderr!.on("data", (text) => {
      stderr += text;
    });
    this.ended = once(this.#child, "close").then(([code, signal]) => ({ code: asShell(code, signal), stderr }));
  }

  /** To the command alone, or to its whole group as a terminal does. */
  signal(signal: NodeJS.Signals, whom: "command" | "group"): void {
    try {
      process.kill(whom === "group" ? -this.#child.pid! : this.#child.pid!, signal);
    } catch {
      // It has just ended by itself.
    }
  }

  /** Steps that were told to be safe. */
  get acknowledged(): number {
    return Math.max(0, ...this.events.map((event) => (event.kind === "saved" ? event.step : 0)));
  }

  /** Resolves when an event of this kind has come, or the process has ended. */
  async until(kind: TrainEvent["kind"], count = 1): Promise<void> {
    const seen = (): boolean => this.events.filter((event) => event.kind === kind).length >= count;
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    while (!seen() && !over) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What a shell sees: a signal that meets a process as it leaves ends it, and is told as 128 + its number. */
const asShell = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + constants.signals[signal!];

export async function weightsHash(folder: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(folder, "weights.safetensors")))
    .digest("hex");
}
