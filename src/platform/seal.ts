import { createHash } from "node:crypto";
import { UserError } from "./errors.js";
import { type JsonForm, parseJson } from "./json.js";

/**
 * The seal of a file that decides a number: the sha256 of its own bytes, with zeros where the seal stands. It is the first entry of a JSON
 * file, or of the metadata of a safetensors file, so that one write makes both and no moment has a file without its seal.
 */
export const BLANK_SEAL = "0".repeat(64);
const MARK = /"seal": ?"([0-9a-f]{64})"/;
/** A seal begins within these bytes: after the length of a safetensors header, a brace or two, and a name. */
const REACH = 128;

/** Fill in the blank seal of a file. */
export function seal(bytes: Uint8Array): Uint8Array {
  const { at } = sealIn(bytes)!;
  bytes.set(new TextEncoder().encode(ownHash(bytes, at)), at);
  return bytes;
}

/** Whether bytes have a seal, right or wrong. */
export const hasSeal = (bytes: Uint8Array): boolean => sealIn(bytes) !== null;

/** Whether bytes are those that were sealed. */
export function isSealed(bytes: Uint8Array): boolean {
  const found = sealIn(bytes);
  return found !== null && ownHash(bytes, found.at) === found.value;
}

function sealIn(bytes: Uint8Array): { readonly at: number; readonly value: string } | null {
  const match = MARK.exec(Buffer.from(bytes.subarray(0, REACH)).toString("latin1"));
  return match === null ? null : { at: match.index + match[0].length - 65, value: match[1]! };
}

const ownHash = (bytes: Uint8Array, sealAt: number): string =>
  createHash("sha256")
    .update(bytes.subarray(0, sealAt))
    .update(BLANK_SEAL)
    .update(bytes.subarray(sealAt + BLANK_SEAL.length))
    .digest("hex");

/** For files that another one answers for. */
export const sha256 = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");

/** An object as a sealed JSON file. */
export const sealedJson = (value: object, indent?: number): Uint8Array =>
  seal(new TextEncoder().encode(`${JSON.stringify({ seal: BLANK_SEAL, ...value }, null, indent)}\n`));

/** Read back what `sealedJson` made. The form is that of the object without its seal. */
export function parseSealedJson<T>(bytes: Uint8Array, name: string, form: JsonForm<T>): T {
  if (!isSealed(bytes)) throw damaged(name, form.hint);
  const { seal: _, ...value } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<string, unknown>;
  return parseJson(JSON.stringify(value), name, form);
}

export const damaged = (name: string, hint: string): UserError =>
  new UserError(`${name}: is damaged: its bytes are not those that were sealed`, { hint });
