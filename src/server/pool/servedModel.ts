import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { ModelDescription } from "../../deployment/model/modelDescription.js";
import { modelFile } from "../../deployment/model/modelFile.js";
import { UserError } from "../../platform/errors.js";
import { readRegularFile } from "../../platform/files.js";
import type { ModelBytes } from "../process/job.js";
import { modelFacts } from "../process/modelFacts.js";

/** A model file as it was read. */
export interface ModelSource extends ModelBytes {
  readonly sha256: string;
  readonly description: ModelDescription;
}

/** Larger models exist, but not of these networks. */
const MOST_BYTES = 2 ** 30;

/** Part of addresses, metrics and headers: letters, digits, dot, dash and underscore, beginning with a letter or digit. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** "name=file", or a file whose name without .onnx is the model's. A run folder stands for its model, by the name of the folder. */
export function namedFiles(models: readonly string[]): Map<string, string> {
  if (models.length === 0) throw new UserError("no model to serve", { hint: "gssl export writes one" });
  const files = new Map<string, string>();
  for (const model of models) {
    const [, given, path] = /^([^/\\=]+)=(.+)$/s.exec(model) ?? [];
    const file = path ?? model;
    const name = given ?? basename(file).replace(/\.onnx$/, "");
    if (!NAME.test(name)) {
      throw new UserError(`"${name}" cannot be the name of a model`, {
        hint: `letters, digits, ".", "-" and "_", at most 64; give one: name=${file}`,
        code: "bad-option",
      });
    }
    const other = files.get(name);
    if (other !== undefined) {
      throw new UserError(`two models have the name "${name}": ${other} and ${file}`, {
        hint: `give one another name: other=${file}`,
        code: "bad-option",
      });
    }
    files.set(name, modelFile(file));
  }
  return files;
}

/** Read a model file and look into it. What is no model of ours is refused before a process sees it. */
export async function readSource(name: string, file: string): Promise<ModelSource> {
  const bytes = await readRegularFile(file, MOST_BYTES);
  const { description } = modelFacts(bytes, file);
  return { name, file, bytes, sha256: createHash("sha256").update(bytes).digest("hex"), description };
}
