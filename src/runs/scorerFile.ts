import { join } from "node:path";
import type { Fitted } from "../methods/fitting.js";
import { UserError } from "../platform/errors.js";
import { FileError, makeFolder } from "../platform/files.js";
import { DamagedFile, readSealedTensors, writeSealedTensors } from "./sealedTensors.js";

/** What a fitted scorer belongs to. */
export interface ScorerOrigin {
  readonly method: string;
  /** Fingerprint of the weights whose features it knows. */
  readonly network: string;
  /** Spec of the data set it learned from, and the hash of what is in it. */
  readonly source: string;
  readonly data: string;
}

const FORMAT = "gamma-ssl scorer 1";

/** Where a run keeps what its scorers learned. */
export const scorerPath = (runFolder: string, method: string): string =>
  join(runFolder, "scorers", `${method}.safetensors`);

/** Write `RUN/scorers/<method>.safetensors`: everything needed to score again without looking at the source. */
export async function saveScorer(runFolder: string, origin: ScorerOrigin, { tensors, remarks }: Fitted): Promise<void> {
  await makeFolder(join(runFolder, "scorers"));
  const metadata = { format: FORMAT, ...origin, remarks: JSON.stringify(remarks) };
  await writeSealedTensors(scorerPath(runFolder, origin.method), tensors, metadata);
}

/** A saved scorer; null where there is none, or where it is damaged, of other weights or of other data. */
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
  if (metadata.format !== FORMAT) refuse(`is of format "${metadata.format ?? "unknown"}", wanted "${FORMAT}"`);
  if (Object.entries(wanted).some(([key, value]) => metadata[key] !== value)) return null;
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
