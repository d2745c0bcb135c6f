import { UserError } from "../../platform/errors.js";
import type { Value } from "../graph/value.js";
import { broadcast, show, size, type TensorType } from "../tensor/shape.js";
import { defineSingle, requireType } from "./defineOp.js";
import type { None } from "./elementwise.js";
import { reshape, transpose } from "./shaping.js";

function requireInner(
  where: string,
  a: TensorType,
  b: TensorType,
  left: number | undefined,
  right: number | undefined,
): void {
  requireType(where, a, "float32", "float16");
  if (a.dtype !== b.dtype || left !== right) {
    throw new UserError(`${where}: ${show(a)} cannot be multiplied by ${show(b)}`, {
      hint: `inner extents are ${left} and ${right}`,
    });
  }
}

type Flags = { readonly transA: number; readonly transB: number };

/** Two matrices, each optionally read transposed: one call of the fastest kernel there is. */
const gemmOp = defineSingle<Flags>({
  opType: "Gemm",
  infer([a, b], { transA, transB }, where) {
    requireInner(where, a!, b!, a!.shape[1 - transA], b!.shape[transB]);
    return { dtype: a!.dtype, shape: [a!.shape[transA]!, b!.shape[1 - transB]!] };
  },
  backward(dy, { inputs: [a, b], attrs: { transA, transB } }) {
    const da = transA ? gemm(b!, dy, { transA: transB, transB: 1 }) : gemm(dy, b!, { transA: 0, transB: 1 - transB });
    const db = transB ? gemm(dy, a!, { transA: 1, transB: transA }) : gemm(a!, dy, { transA: 1 - transA, transB: 0 });
    return [da, db];
  },
});

/**
 * The runtime shares a product with more columns than rows among threads by columns, and adds up long rows in pieces
 * whose length depends on how many columns a thread got: below this many, the result depends on the thread count.
 */
const NARROW = 4096;
/** Rows up to this long are always added up in one piece. */
const SHORT = 128;

function gemm(a: Value, b: Value, { transA, transB }: Flags): Value {
  const [rows, inner, columns] = [a.shape[transA]!, a.shape[1 - transA]!, b.shape[1 - transB]!];
  const shared = columns > rows && columns < NARROW && inner > SHORT;
  if (!shared) return gemmOp([a, b], { transA, transB });
  // Turned on its side it is shared by rows, which changes no sum. The extra axis keeps the runtime from turning it back.
  const turned = reshape(gemmOp([b, a], { transA: 1 - transB, transB: 1 - transA }), [columns, rows, 1]);
  return reshape(transpose(turned, [1, 0, 2]), [rows, columns]);
}

const swapLast = (x: Value): Value => {
  const axes = x.shape.map((_, i) => i);
  return transpose(x, [...axes.slice(0, -2), axes.length - 1, axes.length - 2]);
};

const batchedOp = defineSingle<None>({
  opType: "MatMul",
  infer([a, b], _, where) {
    requireInner(where, a!, b!, a!.shape.at(-1), b!.shape.at(-2));
    const batch = broadcast(
      where,
      { dtype: a!.dtype, shape: a!.shape.slice(0, -2) },
      { dtype: b!.dtype, shape: b!.shape.slice(0, -2) },
    );
    return { dtype: a!.dtype, shape: [...batch, a!.shape.at(-2)!, b!.shape.at(-1)!] };
  },
  backward(dy, { inputs: [a, b] }) {
    const da = batched(dy, swapLast(b!));
    // One matrix for the whole batch: its gradient is one product over all rows, not a sum of many small ones.
    const rows = (x: Value): Value => reshape(x, [size(x.shape.slice(0, -1)), x.shape.at(-1)!]);
    const db = b!.shape.length === 2 ? gemm(rows(a!), rows(dy), { transA: 1, transB: 0 }) : batched(swapLast(a!), dy);
    return [da, db];
  },
});

const batched = (a: Value, b: Value): Value => batchedOp([a, b], {});

/** Matrix product over the last two axes; the axes before them are a batch and broadcast. */
export function matmul(a: Value, b: Value, { transposeA = false, transposeB = false } = {}): Value {
  if (a.shape.length === 2 && b.shape.length === 2) {
    return gemm(a, b, { transA: transposeA ? 1 : 0, transB: transposeB ? 1 : 0 });
  }
  return batched(transposeA ? swapLast(a) : a, transposeB ? swapLast(b) : b);
}
