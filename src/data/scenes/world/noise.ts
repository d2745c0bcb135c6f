import { SeededRandom } from "./seededRandom.js";

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
    const chance = new SeededRandom(`${key}/${octave}`);
    const lattice = new Float32Array(across * down);
    for (let i = 0; i < lattice.length; i++) lattice[i] = chance.next();
    const xs = cells(columns, across);
    const ys = cells(rows, down);
    for (let y = 0; y < rows; y++) {
      const top = ys.low[y]! * across;
      const bottom = ys.high[y]! * across;
      const v = ys.share[y]!;
      for (let x = 0; x < columns; x++) {
        const left = xs.low[x]!;
        const right = xs.high[x]!;
        const u = xs.share[x]!;
        const above = lattice[top + left]! * (1 - u) + lattice[top + right]! * u;
        const below = lattice[bottom + left]! * (1 - u) + lattice[bottom + right]! * u;
        noise[y * columns + x]! += strength * (above * (1 - v) + below * v);
      }
    }
  }
  for (let i = 0; i < noise.length; i++) noise[i]! /= total;
  return noise;
}

/** Samples of a repeating row: the two points each lies between, and how far along it is. */
export interface Cells {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly share: Float64Array;
}

export function emptyCells(samples: number): Cells {
  return { low: new Int32Array(samples), high: new Int32Array(samples), share: new Float64Array(samples) };
}

/** Samples spread evenly over the lattice, eased at both ends of a cell. */
function cells(samples: number, points: number): Cells {
  const { low, high, share } = emptyCells(samples);
  for (let i = 0; i < samples; i++) {
    const position = (i * points) / samples;
    const floor = Math.floor(position);
    const t = position - floor;
    low[i] = floor % points;
    high[i] = (floor + 1) % points;
    share[i] = t * t * (3 - 2 * t);
  }
  return { low, high, share };
}
