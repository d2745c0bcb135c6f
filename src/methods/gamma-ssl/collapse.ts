/** When a network is said to have collapsed onto few classes (section IX-D; thresholds are ours, T-9). */
export interface CollapseOptions {
  /** One class with more than this share of all pixels is suspicious. */
  readonly share?: number;
  /** So is a histogram of classes with less entropy than this, in nats. */
  readonly entropy?: number;
  /** Suspicious steps in a row that make an alarm. */
  readonly steps?: number;
}

/** Watches the histogram of predicted classes, step by step. */
export class CollapseAlarm {
  readonly #share: number;
  readonly #entropy: number;
  readonly #steps: number;
  #suspicious = 0;

  constructor({ share = 0.9, entropy = 0.5, steps = 200 }: CollapseOptions = {}) {
    this.#share = share;
    this.#entropy = entropy;
    this.#steps = steps;
  }

  /** Note a step's shares of predicted classes. Says what is wrong in the step that completes a row, else null. */
  note(predictedByClass: ArrayLike<number>): string | null {
    const shares = Array.from(predictedByClass);
    const total = shares.reduce((a, b) => a + b, 0);
    if (total === 0) return null; // no pixel was valid: this step says nothing
    const largest = Math.max(...shares) / total;
    const entropy = -shares.reduce(
      (sum, share) => sum + (share > 0 ? (share / total) * Math.log(share / total) : 0),
      0,
    );
    this.#suspicious = largest > this.#share || entropy < this.#entropy ? this.#suspicious + 1 : 0;
    if (this.#suspicious !== this.#steps) return null;
    const id = shares.indexOf(Math.max(...shares));
    return `for ${this.#steps} steps predictions have been few: now class ${id} has ${(100 * largest).toFixed(0)} % of all pixels, entropy ${entropy.toFixed(2)} nat`;
  }
}
