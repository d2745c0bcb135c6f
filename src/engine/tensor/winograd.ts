import { float32, type HostTensor } from "./hostTensor.js";

/**
 * Winograd's minimal filtering F(4, 3): four outputs of a 3-tap filter from six products instead of twelve
 * (Winograd 1980; Lavin and Gray 2016). In two dimensions a quarter of the multiplications remain.
 *
 * A tile of six inputs is evaluated at six points, multiplied by the filter evaluated there, and interpolated back.
 * Any points will do; these keep float32 rounding to a few parts in a million, half of what the usual 0, ±1, ±2 do.
 */
const POINTS = [0, Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT2, -Math.SQRT2] as const; // and infinity
const OUTPUTS = 4;
const TAPS = 3;

/** Inputs, and products, of one tile along one axis. */
export const TILE = OUTPUTS + TAPS - 1;

type Matrix = readonly (readonly number[])[];

/** Coefficients of the polynomial with these roots, lowest power first. */
function fromRoots(roots: readonly number[]): number[] {
  let polynomial = [1];
  for (const root of roots) {
    polynomial = Array.from(
      { length: polynomial.length + 1 },
      (_, k) => (polynomial[k - 1] ?? 0) - root * (polynomial[k] ?? 0),
    );
  }
  return polynomial;
}

/** y = interpolate · ((evaluate · filter) ∘ (prepare · tile)): Toom and Cook's construction, transposed. */
const { interpolate, evaluate, prepare } = ((): { interpolate: Matrix; evaluate: Matrix; prepare: Matrix } => {
  const others = (i: number): number[] => POINTS.filter((_, j) => j !== i);
  const slope = (i: number): number => others(i).reduce((product, other) => product * (POINTS[i]! - other), 1);
  const powers = (point: number, count: number, scale: number): number[] =>
    Array.from({ length: count }, (_, k) => point ** k / scale);
  return {
    interpolate: Array.from({ length: OUTPUTS }, (_, j) => [
      ...POINTS.map((point) => point ** j),
      j === OUTPUTS - 1 ? 1 : 0,
    ]),
    evaluate: [...POINTS.map((point, i) => powers(point, TAPS, slope(i))), [0, 0, 1]],
    prepare: [...POINTS.map((_, i) => [...fromRoots(others(i)), 0]), fromRoots(POINTS)],
  };
})();

/** How an axis of an image is cut into tiles and put back together, as matrices. */
export interface TiledAxis {
  readonly tiles: number;
  /** [TILE * tiles, extent]: row (i, t) is input i of tile t, prepared; pixels beyond the border count as zero. */
  readonly prepare: HostTensor;
  /** [extent, TILE * tiles]: every output pixel from the products of its tile. */
  readonly interpolate: HostTensor;
}

/**
 * Tiles of a 3-tap filter with some dilation, padded so that the extent stays.
 *
 * A dilated filter is an ordinary one on every dilation-th pixel, so tiles simply step by the dilation.
 */
export function tiledAxis(extent: number, dilation: number): TiledAxis {
  const firsts: number[] = [];
  for (let offset = 0; offset < Math.min(dilation, extent); offset++) {
    for (let first = offset; first < extent; first += OUTPUTS * dilation) firsts.push(first);
  }
  const tiles = firsts.length;
  const prepared = new Float32Array(TILE * tiles * extent);
  const interpolated = new Float32Array(extent * TILE * tiles);
  firsts.forEach((first, t) => {
    for (let i = 0; i < TILE; i++) {
      const row = i * tiles + t;
      for (let k = 0; k < TILE; k++) {
        const pixel = first + (k - 1) * dilation;
        if (pixel >= 0 && pixel < extent) prepared[row * extent + pixel]! += prepare[i]![k]!;
      }
      for (let j = 0; j < OUTPUTS; j++) {
        const pixel = first + j * dilation;
        if (pixel < extent) interpolated[pixel * TILE * tiles + row] = interpolate[j]![i]!;
      }
    }
  });
  return {
    tiles,
    prepare: float32([TILE * tiles, extent], prepared),
    interpolate: float32([extent, TILE * tiles], interpolated),
  };
}

/** [TILE², 9]: a 3x3 filter, read row by row, evaluated at every pair of points. */
export function filterEvaluation(): HostTensor {
  const rows = evaluate.flatMap((vertical) =>
    evaluate.map((horizontal) => vertical.flatMap((a) => horizontal.map((b) => a * b))),
  );
  return float32([TILE * TILE, TAPS * TAPS], rows.flat());
}
