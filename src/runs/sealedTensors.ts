import type { Tensors } from "../engine/tensor/hostTensor.js";
import { readSafetensors, type SafetensorsFile, writeSafetensors } from "../engine/tensor/safetensors.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { UserError } from "../platform/errors.js";
import { readRegularFile } from "../platform/files.js";
import { BLANK_SEAL, isSealed, seal } from "../platform/seal.js";

/** Write tensors that decide numbers: a safetensors file with a seal among its metadata, on disk once this returns. */
export const writeSealedTensors = (
  path: string,
  tensors: Tensors,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> =>
  writeAtomically(path, seal(writeSafetensors(tensors, { seal: BLANK_SEAL, ...metadata })), { durable: true });

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
