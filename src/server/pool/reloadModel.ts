import { UserError } from "../../platform/errors.js";
import type { ModelPool } from "./modelPool.js";
import { readSource } from "./servedModel.js";

/** What became of a model file that was read again. */
export interface Reloaded {
  readonly model: string;
  readonly result: "unchanged" | "replaced" | "refused";
  /** Why it was refused. */
  readonly reason?: string;
}

/** Read the file of a model again and serve it from now on, or say why not: the model that was served goes on then. */
export async function reloadModel(pool: ModelPool, onNote: (message: string) => void): Promise<Reloaded> {
  const { name: model, file } = pool.model;
  try {
    const result = await pool.reload(() => readSource(model, file));
    if (result === "replaced") {
      onNote(`${model}: ${file} was read again and is served now (sha256 ${pool.model.sha256.slice(0, 12)})`);
    }
    return { model, result };
  } catch (error) {
    const reason = error instanceof UserError ? error.message : String(error);
    onNote(`${model}: ${file} is not served; the model loaded before stays: ${reason}`);
    return { model, result: "refused", reason };
  }
}
