import { readRegularFile } from "../../platform/files.js";
import { DataError } from "../images/dataError.js";

/** Larger than any image of a camera, packed or not. */
const MOST_BYTES = 2 ** 29;

/** The bytes of an image or a label map, or an error that says why not. */
export async function readBytes(file: string, what: "image" | "label"): Promise<Buffer> {
  try {
    return await readRegularFile(file, MOST_BYTES);
  } catch (cause) {
    throw unreadable(file, what, cause);
  }
}

export function unreadable(file: string, what: "image" | "label", cause: unknown): DataError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const [sentence, hint] = reasons[String(code)] ?? [
    `cannot be read (${String(code)})`,
    "check the disk and the rights",
  ];
  return new DataError(what === "image" ? "image-missing" : "label-missing", file, sentence, { hint, cause });
}

const reasons: Partial<Record<string, readonly [string, string]>> = {
  ENOENT: ["is not there", "put the file where the spec looks for it, or take its partner away"],
  ELOOP: ["is a circular symlink", "remove the link, or let it point at the file"],
  EACCES: ["permission denied", "check permissions"],
  EISDIR: ["is a folder", "there should be a file of this name"],
  NOT_REGULAR: ["is a pipe or a device", "there should be a file of this name"],
  TOO_LARGE: [`has more than ${MOST_BYTES} bytes`, "is it an image? scale it down, or cut it into tiles"],
};
