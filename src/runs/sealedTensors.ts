import type { Tensors } from "../engine/tensor/hostTensor.js";
import { readSafetensors, type SafetensorsFile, writeSafetensors } from "../engine/tensor/safetensors.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { readRegularFile, readStart } from "../platform/files.js";
import { BLANK_SEAL, isSealed, seal } from "../platform/seal.js";
import { fingerprintOf } from "./fingerprint.js";

/**
 * Write tensors that decide numbers: a safetensors file with a seal and their fingerprint among its metadata, on disk once this
 * returns.
 */
export const writeSealedTensors = (
  path: string,
  tensors: Tensors,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> =>
  writeAtomically(
    path,
    seal(writeSafetensors(tensors, { seal: BLANK_SEAL, fingerprint: fingerprintOf(tensors), ...metadata })),
    { durable: true },
  );

/** A file of a run whose bytes are not those that were written. */
export class DamagedFile extends UserError {}

/** Read them back; damage is refused. */
export async function readSealedTensors(path: string, hint: string): Promise<SafetensorsFile> {
  const bytes = await readRegularFile(path);
  const refuse = (cause?: unknown): DamagedFile =>
    new DamagedFile(`${path}: is damaged: its bytes are not those that were written`, { hint, cause });
  let file: SafetensorsFile;
  try {
    file = readSafetensors(bytes, path);
  } catch (cause) {
    throw refuse(cause);
  }
  const { seal: _, ...metadata } = file.metadata;
  if (!isSealed(bytes)) throw refuse();
  return { tensors: file.tensors, metadata };
}

/** The fingerprint stands within so many bytes: after the seal. */
const REACH = 256;

/** Fingerprint of the tensors in a file, from its first bytes: it is asked for wherever results are shown. */
export async function storedFingerprint(path: string): Promise<string> {
  const start = (await readStart(path, REACH)).toString("latin1");
  const found = /"fingerprint":"([0-9a-f]{64})"/.exec(start)?.[1];
  if (found !== undefined) return found;
  // A file of an earlier version, which does not say.
  return fingerprintOf((await readSealedTensors(path, "train again, or restore it from a copy")).tensors);
}
