import { join } from "node:path";
import type { Fitted } from "../methods/parts/fitting.js";
import { UserError } from "../platform/errors.js";
import { FileError, makeFolder } from "../platform/files.js";
import { DamagedFile, readSealedTensors, writeSealedTensors } from "./sealedTensors.js";

/** What a fitted scorer belongs to. */
export interface ScorerOrigin {
  readonly method: string;
  /** Of everything that the fit depends on (`workKey`). */
  readonly key: string;
}

const FORMAT = "gamma-ssl scorer 2";

/** Where a run keeps what its scorers learned. */
export const scorerPath = (runFolder: string, method: string): string =>
  join(runFolder, "scorers", `${method}.safetensors`);

/** Write `RUN/scorers/<method>.safetensors`: everything needed to score again without looking at the source. */
export async function saveScorer(runFolder: string, origin: ScorerOrigin, { tensors, remarks }: Fitted): Promise<void> {
  await makeFolder(join(runFolder, "scorers"));
  const metadata = { format: FORMAT, ...origin, remarks: JSON.stringify(remarks) };
  await writeSealedTensors(scorerPath(runFolder, origin.method), tensors, metadata);
}

/** A saved scorer; null where there is none, or where it is damaged or was fitted to something else. */
export async function loadScorer(runFolder: string, wanted: ScorerOrigin): Promise<Fitted | null> {
  const path = scorerPath(runFolder, wanted.method);
  const hint = "fit it again with --overwrite, or remove the file";
  const file = await readSealedTensors(path, hint).catch((error: unknown) => {
    if (error instanceof DamagedFile || (error instanceof FileError && error.code === "ENOENT")) return null;
    throw error;
  });
  if (file === null) return null;
  const { tensors, metadata } = file;
  const refuse = (why: string): never => {
    throw new UserError(`${path}: ${why}`, { hint });
  };
  // One of another version of this format is fitted again, as one of other weights is.
  if (Object.entries({ ...wanted, format: FORMAT }).some(([name, value]) => metadata[name] !== value)) return null;
  return { tensors, remarks: remarksOf(metadata.remarks, refuse) };
}

function remarksOf(text: string | undefined, refuse: (why: string) => never): string[] {
  try {
    const found: unknown = JSON.parse(text ?? "");
    if (Array.isArray(found)) return found.map(String);
  } catch {
    // Said below.
  }
  return refuse("its remarks are not a list");
}
