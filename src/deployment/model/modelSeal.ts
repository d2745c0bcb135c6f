import { UserError } from "../../platform/errors.js";

/**
 * The seal of a model: the sha256 of all bytes before it, as the last entry of the metadata of the ONNX file. Entries of a repeated field
 * may stand anywhere in such a file, so that the seal is put behind what it answers for, and every runtime reads the whole as it is.
 */
const KEY = "seal";
const LENGTH = 64;

/** How the entry begins: field 14 of the model, its length, field 1 with the key, field 2 with the value. */
const head = Uint8Array.of(
  0x72,
  KEY.length + LENGTH + 4,
  0x0a,
  KEY.length,
  ...new TextEncoder().encode(KEY),
  0x12,
  LENGTH,
);

/** An ONNX file with its seal. `sha256` is that of its bytes. */
export function withSeal(bytes: Uint8Array, sha256: string): Uint8Array {
  const sealed = new Uint8Array(bytes.length + head.length + LENGTH);
  sealed.set(bytes);
  sealed.set(head, bytes.length);
  sealed.set(new TextEncoder().encode(sha256), bytes.length + head.length);
  return sealed;
}

/**
 * Refuse a model of which a bit is not as it was written: with another weight it would answer, and be wrong. A page without a secure context
 * has no sha256, and takes the model as it is.
 */
export async function requireSealed(bytes: Uint8Array, file: string): Promise<void> {
  const end = bytes.length - head.length - LENGTH;
  const isThere = end > 0 && head.every((byte, i) => bytes[end + i] === byte);
  const told = new TextDecoder().decode(bytes.subarray(end + head.length));
  if (isThere && (globalThis.crypto?.subtle === undefined || told === (await digestOf(bytes.subarray(0, end))))) return;
  throw new UserError(
    `${file} is damaged: ${isThere ? "its bytes are not those that were sealed" : "it has no seal"}`,
    {
      hint: "copy it again; gssl export writes it anew",
      code: "not-a-model",
    },
  );
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
