/** Exit codes of a command that was asked to stop: 128 + the signal's number, as shells expect. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Milliseconds within which signals are one request. GNU timeout signals the command and then its whole group, and npx passes on what the
 * terminal has sent to everybody.
 */
const SAME_REQUEST_MS = 1000;

/**
 * Ctrl-C and SIGTERM as an AbortSignal, from the first time it is asked for: a command that cannot be cancelled is ended by them as usual.
 * A second request ends the process at once.
 */
export class InterruptSignal {
  readonly #controller = new AbortController();
  readonly #now: () => number;
  #listening = false;
  #asked = Number.POSITIVE_INFINITY;

  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  get signal(): AbortSignal {
    if (!this.#listening) for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, this.#stop);
    this.#listening = true;
    return this.#controller.signal;
  }

  readonly #stop = (name: keyof typeof CODES): void => {
    process.exitCode = CODES[name];
    if (this.#now() - this.#asked > SAME_REQUEST_MS) process.exit();
    this.#asked = Math.min(this.#asked, this.#now());
    this.#controller.abort();
  };

  /** The command is over. After a request the process is about to leave, and its repeat must still not be taken for another one. */
  forget(): void {
    if (this.#asked === Number.POSITIVE_INFINITY)
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, this.#stop);
  }
}
