/** How long a crash counts, in milliseconds, and how many are too many. */
const WINDOW = 60_000;
const TOO_MANY = 5;
/** The longest wait before a process is started again. */
const LONGEST = 5_000;

/** When processes of a model exited unexpectedly. */
export class Crashes {
  readonly #now: () => number;
  #times: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(): void {
    this.#times.push(this.#now());
  }

  /** How many of the last minute. */
  get recent(): number {
    this.#times = this.#times.filter((time) => this.#now() - time < WINDOW);
    return this.#times.length;
  }

  /** So many that the model does not count as ready. */
  get tooMany(): boolean {
    return this.recent >= TOO_MANY;
  }

  /** Milliseconds to wait before the next start: none at first, then doubling. */
  get delay(): number {
    return this.recent < TOO_MANY ? 0 : Math.min(LONGEST, 500 * 2 ** (this.recent - TOO_MANY));
  }
}
