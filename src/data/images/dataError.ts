import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";

/** What can be wrong with a file of a data set. docs/data.md explains each under the same name. */
export const dataErrorCodes = [
  "image-missing",
  "image-empty",
  "image-damaged",
  "image-unsupported",
  "image-too-large",
  "label-missing",
  "label-empty",
  "label-damaged",
  "label-lossy",
  "label-unsupported",
  "label-too-large",
  "label-kind",
  "label-value",
  "label-size",
  "file-changed",
] as const;

/** One of them. */
export type DataErrorCode = (typeof dataErrorCodes)[number];

export interface DataErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  /** The label space that the values of the file fit, if they fit another than they were read with. */
  readonly fits?: string | undefined;
}

/** A file of a data set that cannot be used, and which one. */
export class DataError extends UserError {
  override readonly code: DataErrorCode;
  readonly file: string;
  readonly fits: string | undefined;
  readonly #sentence: string;

  constructor(code: DataErrorCode, file: string, sentence: string, { fits, ...options }: DataErrorOptions = {}) {
    super(printable(`${file}: ${sentence}`), options);
    this.name = "DataError";
    this.code = code;
    this.file = file;
    this.fits = fits;
    this.#sentence = sentence;
  }

  /** The same error with better advice. */
  withHint(hint: string): DataError {
    return new DataError(this.code, this.file, this.#sentence, { hint, cause: this.cause, fits: this.fits });
  }
}
