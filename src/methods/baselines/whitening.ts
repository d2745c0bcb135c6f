import { CholeskyDecomposition, Matrix } from "ml-matrix";
import { UserError } from "../../platform/errors.js";

/** A covariance turned into a map under which it becomes the unit matrix. */
export interface Whitening {
  /** A with AᵀA = Σ⁻¹, lower triangular, [F, F]: (x - μ)ᵀ Σ⁻¹ (x - μ) is the squared length of A(x - μ). */
  readonly matrix: Float64Array;
  /** log |Σ| */
  readonly logDeterminant: number;
  /** What had to be added to the variances before Σ could be inverted, as a share of their mean; 0 where nothing. */
  readonly jitter: number;
}

/** Shares of the mean variance that are added until a Cholesky decomposition succeeds (B-10). */
const LADDER = [0, ...Array.from({ length: 12 }, (_, i) => 10 ** (i - 12))];

/** The whitening of a covariance [F, F], with at least `shrinkage` times the mean variance added to every variance. */
export function whiteningOf(covariance: Float64Array, features: number, { shrinkage = 0 } = {}): Whitening {
  if (!covariance.every(Number.isFinite)) throw unusable("holds a NaN or an infinity");
  const trace = Array.from({ length: features }, (_, i) => covariance[i * (features + 1)]!).reduce((a, b) => a + b, 0);
  // Features that never move have no variance to take a share of.
  const level = trace > 0 ? trace / features : 1;
  for (const step of LADDER.filter((share) => share === 0 || share > shrinkage)) {
    const jitter = Math.max(step, shrinkage);
    const lower = cholesky(covariance, features, jitter * level);
    if (lower === null) continue;
    let logDeterminant = 0;
    for (let i = 0; i < features; i++) logDeterminant += 2 * Math.log(lower.get(i, i));
    return { matrix: inverseOfLower(lower), logDeterminant, jitter };
  }
  throw unusable("cannot be inverted, whatever is added to its variances");
}

const unusable = (why: string): UserError =>
  new UserError(`the covariance of the features ${why}`, {
    hint: "are there NaN or infinite numbers among the network's weights?",
  });

function cholesky(covariance: Float64Array, size: number, added: number): Matrix | null {
  const matrix = new Matrix(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      // Products of float32 are not quite symmetric.
      const both = (covariance[i * size + j]! + covariance[j * size + i]!) / 2;
      matrix.set(i, j, i === j ? both + added : both);
    }
  }
  const decomposition = new CholeskyDecomposition(matrix);
  return decomposition.isPositiveDefinite() ? decomposition.lowerTriangularMatrix : null;
}

/** Row by row from the diagonal outwards. */
function inverseOfLower(lower: Matrix): Float64Array {
  const size = lower.rows;
  const rows = lower.to2DArray();
  const inverse = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    const diagonal = rows[i]![i]!;
    for (let k = 0; k < i; k++) {
      const by = rows[i]![k]! / diagonal;
      if (by !== 0) for (let j = 0; j <= k; j++) inverse[i * size + j]! -= by * inverse[k * size + j]!;
    }
    inverse[i * size + i] = 1 / diagonal;
  }
  return inverse;
}

/** A matrix [rows, F] times a vector [F]. */
export function times(matrix: Float64Array, vector: ArrayLike<number>): Float64Array {
  const length = vector.length;
  return Float64Array.from({ length: matrix.length / length }, (_, i) => {
    let total = 0;
    for (let j = 0; j < length; j++) total += matrix[i * length + j]! * vector[j]!;
    return total;
  });
}

/** The difference of two vectors. */
export const minus = (a: Float64Array, b: ArrayLike<number>): Float64Array => a.map((value, i) => value - b[i]!);
