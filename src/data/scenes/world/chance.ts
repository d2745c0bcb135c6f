/**
 * Randomness that is a pure function of a key, such as "7/forest/test/12/trees".
 *
 * Each purpose draws from a child with its own key, so adding a cloud never moves a car. The generator is sfc32
 * seeded by a string hash: integers only, hence the same on every machine.
 */
export class Chance {
  readonly #key: string;
  readonly #state: Uint32Array;

  constructor(key: string) {
    this.#key = key;
    this.#state = hash128(key);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** An independent stream for one purpose; it does not depend on what was drawn before. */
  child(purpose: string | number): Chance {
    return new Chance(`${this.#key}/${purpose}`);
  }

  /** Uniform in [0, 1). */
  next(): number {
    const s = this.#state;
    const sum = (s[0]! + s[1]! + s[3]!) >>> 0;
    s[3] = s[3]! + 1;
    s[0] = s[1]! ^ (s[1]! >>> 9);
    s[1] = s[2]! + (s[2]! << 3);
    s[2] = ((s[2]! << 21) | (s[2]! >>> 11)) + sum;
    return sum / 4294967296;
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

  /** -1 or 1. */
  sign(): number {
    return this.next() < 0.5 ? -1 : 1;
  }

  pick<T>(options: readonly T[]): T {
    return options[Math.floor(this.next() * options.length)]!;
  }
}

/** Four 32-bit hashes of a string (cyrb128). */
function hash128(text: string): Uint32Array {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return Uint32Array.of(a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a);
}
