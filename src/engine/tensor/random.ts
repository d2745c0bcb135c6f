/**
 * Random numbers that are a pure function of their key, e.g. `random(seed, step, sample, "flip")`.
 *
 * Nothing is drawn from shared state, so the order in which things are drawn, the number of workers and a resumed run
 * cannot change them. The generator is sfc32 (Doty-Humphrey), seeded by hashing the key.
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
    c = ((c << 21) | (c >>> 11)) + mixed;
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

/** Four words from a text, each mixed with its own odd constant. */
function hash(text: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef];
  const factors = [0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    for (let w = 0; w < 4; w++) {
      const mixed = Math.imul(words[w]! ^ code, factors[w]!);
      words[w] = mixed ^ (mixed >>> 15) ^ words[(w + 1) % 4]!;
    }
  }
  return words;
}
