import { random } from "../../../engine/tensor/random.js";

/**
 * Randomness that is a pure function of a key, such as "7/forest/test/12/trees".
 *
 * Each purpose draws from a child with its own key, so adding a cloud never moves a car.
 */
export class SeededRandom {
  readonly #key: string;
  /** Uniform in [0, 1). */
  readonly next: () => number;

  constructor(key: string) {
    this.#key = key;
    this.next = random(key).uniform;
  }

  /** An independent stream for one purpose; it does not depend on what was drawn before. */
  child(purpose: string | number): SeededRandom {
    return new SeededRandom(`${this.#key}/${purpose}`);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from low to high, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Roughly normal: the mean of three uniforms, never further than `spread` from the centre. */
  around(centre: number, spread: number): number {
    return centre + spread * ((this.next() + this.next() + this.next()) / 1.5 - 1);
  }

  /** True with the given probability. */
  yes(share: number): boolean {
    return this.next() < share;
  }

  /** 0, 1, 2 … as many as a draw from low to high says: `for (const i of chance.times(1, 3))`. */
  times(low: number, high: number): Iterable<number> {
    return Array.from({ length: this.integer(low, high) }).keys();
  }

  /** Metres from near to far, as often near as far on the image. */
  distance(near: number, far: number): number {
    return near * (far / near) ** this.next();
  }

  /** Distances one behind the other: a first one, then gaps, each drawn when the one before has been used. */
  *along(
    first: readonly [number, number],
    gap: number | readonly [number, number],
    { far = Infinity, most }: { far?: number; most: number },
  ): Iterable<readonly [z: number, index: number]> {
    let z = this.between(first[0], first[1]);
    for (let i = 0; z < far && i < most; i++) {
      yield [z, i];
      z += typeof gap === "number" ? gap : this.between(gap[0], gap[1]);
    }
  }

  /** -1 or 1. */
  sign(): number {
    return this.next() < 0.5 ? -1 : 1;
  }

  pick<T>(options: readonly T[]): T {
    return options[Math.floor(this.next() * options.length)]!;
  }
}
