import { join } from "node:path";
import { FileError } from "../../platform/files.js";
import { readConfig, type TrainConfig } from "../../runs/config.js";
import { runFiles } from "../../runs/runFiles.js";

/** The config of a run folder; null where there was no training, as of predictions that were scored. */
export async function configOf(folder: string): Promise<TrainConfig | null> {
  try {
    return await readConfig(join(folder, runFiles.config));
  } catch (error) {
    if (error instanceof FileError && error.code === "ENOENT") return null;
    throw error;
  }
}
