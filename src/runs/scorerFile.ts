import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSafetensors, writeSafetensors } from "../engine/tensor/safetensors.js";
import type { Fitted } from "../methods/fitting.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";

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
  await mkdir(join(runFolder, "scorers"), { recursive: true });
  const metadata = { format: FORMAT, ...origin, remarks: JSON.stringify(remarks) };
  await writeAtomically(scorerPath(runFolder, origin.method), writeSafetensors(tensors, metadata));
}

/** A saved scorer; null where there is none, or where it is of other weights or other data. */
export async function loadScorer(runFolder: string, wanted: ScorerOrigin): Promise<Fitted | null> {
  const path = scorerPath(runFolder, wanted.method);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  const { tensors, metadata } = readSafetensors(bytes, path);
  const refuse = (why: string): never => {
    throw new UserError(`${path}: ${why}`, { hint: "fit it anew with --again, or remove the file" });
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
