/** Something the caller can fix: a wrong option, file or data set. The command line prints message and hint, without a stack trace. */
export class UserError extends Error {
  /** What to do about it. */
  readonly hint: string | undefined;
  /** What kind of error it is, for programs: `unknown-name`, `bad-option`, or the code of a `DataError`. */
  readonly code: string | undefined;

  constructor(message: string, options: { hint?: string; code?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "UserError";
    this.hint = options.hint;
    this.code = options.code;
  }
}

/** A broken promise between our own functions. Always our bug, so it keeps its stack. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`internal: ${message}`);
}

/** An error on its way between threads, which copy fields but no classes. */
export interface PackedError {
  /** Present where the caller can fix it. */
  readonly user?: { readonly hint: string | undefined; readonly code: string | undefined };
  readonly message: string;
  readonly stack: string | undefined;
}

export function packError(error: unknown): PackedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof UserError)) return { message, stack };
  return { user: { hint: error.hint, code: error.code }, message, stack };
}

export function unpackError({ user, message, stack }: PackedError): Error {
  const { hint, code } = user ?? {};
  const error =
    user === undefined
      ? new Error(message)
      : new UserError(message, { ...(hint !== undefined && { hint }), ...(code !== undefined && { code }) });
  if (stack !== undefined) error.stack = stack;
  return error;
}
