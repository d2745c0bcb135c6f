import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../platform/errors.js";
import { shellWord } from "../../platform/printable.js";
import { runFiles } from "../../runs/runFiles.js";

/** What `gssl export` calls a run's model. */
const MODEL = "model.onnx";

/** The file of a model: a run folder stands for the model that was exported from it. Anything else is for its reader to judge. */
export function modelFile(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const inside = readdirSync(path);
  if (inside.includes(MODEL)) return join(path, MODEL);
  const others = inside.filter((name) => name.endsWith(".onnx")).map((name) => join(path, name));
  if (others.length > 0) {
    throw new UserError(`${path} has no ${MODEL}`, { hint: `name one of its files: ${others.join(", ")}` });
  }
  throw inside.includes(runFiles.config)
    ? new UserError(`${path} has no ${MODEL} yet`, { hint: `write it first: gssl export ${shellWord(path)}` })
    : new UserError(`${path} is neither a model nor a run folder`, {
        hint: "a model is a file that gssl export wrote; a run folder is what gssl train writes with --to",
      });
}
