/**
 * Random numbers that are a pure function of their key, e.g. `random(seed, step, sample, "flip")`.
 *
 * Nothing is drawn from shared state, so the order in which things are drawn, the number of workers and a resumed run
 * cannot change them. The generator is sfc32 (Doty-Humphrey), seeded by hashing the key: whole numbers only, hence the
 * same on every machine.
 */
export interface Random {
  /** At least 0, below 1. */
  uniform(): number;
  /** Mean 0, standard deviation 1. */
  normal(): number;
  /** A whole number from 0 to count - 1. */
  below(count: number): number;
}

export function random(...key: readonly (number | string)[]): Random {
  let [a, b, c, counter] = hash(key.join("\u0000"));
  const next = (): number => {
    const mixed = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + mixed) | 0;
    return mixed >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  const uniform = (): number => next() / 2 ** 32;
  return {
    uniform,
    // Box and Muller; 1 - u keeps the logarithm away from zero.
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    below: (count) => Math.floor(uniform() * count),
  };
}

/** Four words from a text (cyrb128): every character stirs all of them. */
function hash(text: string): [number, number, number, number] {
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
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}
