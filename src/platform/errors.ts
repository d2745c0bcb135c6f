/** Something the person at the keyboard can fix. Printed as message and hint, without a stack trace. */
export class UserError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "UserError";
    this.hint = options.hint;
  }
}

/** A broken promise between our own functions. Always our bug, so it keeps its stack. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`internal: ${message}`);
}
