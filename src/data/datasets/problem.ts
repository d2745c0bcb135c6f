import { printable } from "../../platform/printable.js";
import { DataError, dataErrorCodes } from "../images/dataError.js";

/** Everything `gssl inspect` can find. docs/data.md explains each under the same name. */
export const problemCodes = [
  ...dataErrorCodes,
  "image-animated",
  "image-rotated",
  "image-transparent",
  "image-tiny",
  "label-orphan",
  "label-all-void",
  "label-space",
  "label-strays",
  "labels-among-images",
  "list-ambiguous",
  "stem-twice",
  "content-twice",
  "link-loop",
  "drive-unknown",
  "leak",
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** Something wrong with one file. Training does not start on an error; a warning is for people to weigh. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly code: ProblemCode;
  readonly file: string;
  /** A sentence that names the file; safe to print. */
  readonly message: string;
  readonly hint?: string;
}

export function problem(
  severity: Problem["severity"],
  code: ProblemCode,
  file: string,
  message: string,
  hint?: string,
): Problem {
  return { severity, code, file, message: printable(`${file}: ${message}`), ...(hint === undefined ? {} : { hint }) };
}

/** An error that reading threw, as a problem. Whatever is not about the file is our bug, and goes on. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof DataError)) throw error;
  const { code, file, message, hint } = error;
  return { severity: "error", code, file, message, ...(hint === undefined ? {} : { hint }) };
}
