import { Chance } from "./chance.js";

/**
 * Value noise on a grid that repeats without seams: random heights on a lattice, smoothly joined, each octave twice as
 * fine and half as strong. Between 0 and 1, with a mean of about a half.
 */
export function tiledNoise(
  key: string,
  {
    columns,
    rows,
    bumps,
    octaves,
  }: { columns: number; rows: number; bumps: readonly [number, number]; octaves: number },
): Float32Array {
  const noise = new Float32Array(columns * rows);
  let total = 0;
  for (let octave = 0; octave < octaves; octave++) {
    const strength = 0.5 ** octave;
    total += strength;
    const [across, down] = [bumps[0] * 2 ** octave, bumps[1] * 2 ** octave];
    const chance = new Chance(`${key}/${octave}`);
    const lattice = Float32Array.from({ length: across * down }, () => chance.next());
    const xs = cells(columns, across);
    const ys = cells(rows, down);
    for (let y = 0; y < rows; y++) {
      const { low: top, high: bottom, share: v } = ys[y]!;
      for (let x = 0; x < columns; x++) {
        const { low: left, high: right, share: u } = xs[x]!;
        const above = lattice[top * across + left]! * (1 - u) + lattice[top * across + right]! * u;
        const below = lattice[bottom * across + left]! * (1 - u) + lattice[bottom * across + right]! * u;
        noise[y * columns + x]! += strength * (above * (1 - v) + below * v);
      }
    }
  }
  return noise.map((value) => value / total);
}

/** For each sample, the two lattice points it lies between and how far along it is, eased at both ends. */
function cells(samples: number, points: number): { low: number; high: number; share: number }[] {
  return Array.from({ length: samples }, (_, i) => {
    const position = (i * points) / samples;
    const low = Math.floor(position);
    const t = position - low;
    return { low: low % points, high: (low + 1) % points, share: t * t * (3 - 2 * t) };
  });
}
