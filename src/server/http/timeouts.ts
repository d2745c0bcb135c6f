/** In milliseconds. */
export interface Timeouts {
  /** For the headers of a request to arrive; 10 s. */
  readonly headers: number;
  /** For all of a request; 30 s. */
  readonly request: number;
  /** From a whole request to its answer; 30 s. */
  readonly answer: number;
  /** For requests that wait when the server is closed; 30 s. */
  readonly drain: number;
}
