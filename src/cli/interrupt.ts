/** Exit codes of a command that was asked to stop: 128 + the signal's number, as shells expect. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ctrl-C and SIGTERM as an AbortSignal, from the first time it is asked for: a command that cannot be cancelled is ended by them as usual.
 * A second one ends the process at once.
 */
export class InterruptSignal {
  readonly #controller = new AbortController();
  #listening = false;

  get signal(): AbortSignal {
    if (!this.#listening) for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, this.#stop);
    this.#listening = true;
    return this.#controller.signal;
  }

  readonly #stop = (name: keyof typeof CODES): void => {
    process.exitCode = CODES[name];
    if (this.#controller.signal.aborted) process.exit();
    this.#controller.abort();
  };

  forget(): void {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, this.#stop);
  }
}
