import { join } from "node:path";
import { z } from "zod";
import { readIfThere } from "../platform/files.js";
import { parseJson } from "../platform/json.js";
import { runFiles } from "./runFiles.js";

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
