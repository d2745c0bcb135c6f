import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { readIfThere } from "../platform/files.js";
import { parseJson } from "../platform/json.js";
import { runFiles } from "./runFiles.js";

/** One line of `log.jsonl`. `step` counts from 1. */
export interface StepLine {
  readonly step: number;
  readonly [name: string]: number | string | null | readonly (number | null)[];
}

/** `log.jsonl`: one JSON object a line, what each step measured, in order and each step once however often it was resumed. */
export class TrainLog {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Goes on after `done` steps: what a killed process wrote beyond them, or half a line, is dropped. */
  static async open(path: string, done: number): Promise<TrainLog> {
    const old = await readFile(path, "utf8").catch(() => "");
    const lines = old.split("\n").slice(0, -1); // without nothing, or half a line
    const steps = lines.map(stepOf);
    const count = steps.findLastIndex((step) => step <= done) + 1;
    // What stands before a step that was done was whole once. Beyond, a power cut may have left anything.
    const wrong = steps.findIndex((step, k) => k < count && (step > done || step < (steps[k - 1] ?? 0)));
    if (wrong >= 0) {
      throw new UserError(`${path}, line ${wrong + 1}: is damaged: no line of a step that follows those before it`, {
        hint: "restore the file from a copy, or remove the line; its step is then missing from means and plots",
      });
    }
    const kept = lines.slice(0, count);
    const text = kept.map((line) => `${line}\n`).join("");
    if (text !== old) await writeAtomically(path, text, { durable: true });
    return new TrainLog(await open(path, "a"));
  }

  async write(line: StepLine): Promise<void> {
    await this.#file.write(`${JSON.stringify(line)}\n`);
  }

  /** Everything written so far is on disk. */
  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** A line that is not ours belongs to no step we have done. */
function stepOf(line: string): number {
  try {
    const parsed: unknown = JSON.parse(line);
    const { step } = parsed as { step?: unknown };
    return typeof step === "number" ? step : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const line = {
  schema: z.looseObject({}),
  hint: "remove the line; its step is then missing from means and plots",
};
export type LogLine = z.infer<typeof line.schema>;

/**
 * The lines of a run's `log.jsonl`, in order; null where there is none. The last may be torn by a power cut and is then left out; any
 * other that is no JSON object is refused with its number.
 */
export async function readLogLines(folder: string): Promise<LogLine[] | null> {
  const path = join(folder, runFiles.log);
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  const texts = bytes.toString("utf8").split("\n");
  const whole = texts.at(-1) === "" ? texts : texts.slice(0, -1);
  return whole.flatMap((text, k) => (text.trim() === "" ? [] : [parseJson(text, `${path}, line ${k + 1}`, line)]));
}
