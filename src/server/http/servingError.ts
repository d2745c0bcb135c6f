import { UserError } from "../../platform/errors.js";

interface Details {
  readonly hint?: string;
  /** Seconds after which another try may succeed. */
  readonly retryAfter?: number;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of the server that is no success: its status, and why. */
export class ServingError extends UserError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { hint, retryAfter, headers = {} }: Details = {}) {
    super(message, { ...(hint !== undefined && { hint }) });
    this.name = "ServingError";
    this.status = status;
    this.headers = { ...headers, ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }) };
  }
}
