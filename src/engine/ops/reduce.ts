import { constant, type Value } from "../graph/value.js";
import { int64 } from "../tensor/hostTensor.js";
import { fromFront, reduced, size } from "../tensor/shape.js";
import { defineOp, defineSingle, requireType } from "./defineOp.js";
import {
  add,
  cast,
  div,
  equal,
  exp,
  log,
  maximum,
  mul,
  number,
  scale,
  sqrt,
  square,
  stopGradient,
  sub,
} from "./elementwise.js";
import { reshape, stretchTo } from "./shaping.js";

type Axes = { readonly axes: readonly number[]; readonly keep: number };

/** dy with its reduced axes put back as 1, ready to broadcast against the input. */
const unreduce = (dy: Value, x: Value, { axes }: Axes): Value => reshape(dy, reduced(x.shape, axes, true));

function reduction(
  opType: string,
  {
    axesAsInput,
    whole = false,
    backward,
  }: {
    axesAsInput: boolean;
    /** Whether whole numbers are reduced too; nothing flows back through those. */
    whole?: boolean;
    backward: (dy: Value, x: Value, y: Value, attrs: Axes) => Value;
  },
): (x: Value, axes?: readonly number[], options?: { keep: boolean }) => Value {
  const op = defineSingle<Axes>({
    opType,
    infer: ([x], { axes, keep }, where) => {
      requireType(where, x!, "float32", "float16", ...(whole ? (["int32", "int64"] as const) : []));
      return { dtype: x!.dtype, shape: reduced(x!.shape, axes, keep === 1) };
    },
    backward: (dy, { inputs: [x], output, attrs }) => [backward(unreduce(dy, x!, attrs), x!, output, attrs)],
    emit(to, { inputs: [x], attrs: { axes, keep } }) {
      if (axesAsInput) to.node(opType, [to.name(x!), to.int64(axes)], { keepdims: keep });
      else to.node(opType, [to.name(x!)], { axes, keepdims: keep });
    },
  });
  return (x, axes, { keep } = { keep: false }) => {
    const all = axes ?? x.shape.map((_, i) => i);
    return op([x], { axes: all.map((axis) => fromFront(opType, axis, x.shape.length)), keep: keep ? 1 : 0 });
  };
}

const plainSum = reduction("ReduceSum", {
  axesAsInput: true,
  whole: true,
  backward: (dy, x) => stretchTo(dy, x.shape),
});

/**
 * Sum over axes (all of them when none are named). Sums of int32 and int64 are exact.
 *
 * Axes on both sides of one that stays are summed in turn: the runtime's kernel for both at once gives each thread a share of
 * the last ones, and rounds differently with more threads than there are sums.
 */
export const sum: typeof plainSum = (x, axes = x.shape.map((_, i) => i), options = { keep: false }) => {
  const sorted = axes.map((axis) => fromFront("ReduceSum", axis, x.shape.length)).sort((a, b) => a - b);
  const last = sorted.filter((axis, i) => axis - i === sorted.at(-1)! - (sorted.length - 1));
  if (last.length === sorted.length) return plainSum(x, sorted, options);
  const inner = plainSum(x, last, { keep: true });
  const outer = plainSum(inner, sorted.slice(0, -last.length), { keep: true });
  return options.keep ? outer : reshape(outer, reduced(x.shape, sorted, false));
};

export const mean = reduction("ReduceMean", {
  axesAsInput: false,
  backward: (dy, x, y) => stretchTo(scale(dy, size(y.shape) / size(x.shape)), x.shape),
});

/** The gradient of an extreme goes to the elements that reach it, shared equally where several do. */
function toWinners(dy: Value, x: Value, y: Value, attrs: Axes): Value {
  const wins = cast(equal(x, unreduce(y, x, attrs)), "float32");
  return mul(div(dy, sum(wins, attrs.axes, { keep: true })), wins);
}
export const max = reduction("ReduceMax", { axesAsInput: false, backward: toWinners });
export const min = reduction("ReduceMin", { axesAsInput: false, backward: toWinners });

/** Index of the largest element along an axis; the lowest index wins a tie. */
const argmaxOp = defineSingle<{ axis: number; keepdims: number }>({
  opType: "ArgMax",
  infer: ([x], { axis, keepdims }) => ({ dtype: "int64", shape: reduced(x!.shape, [axis], keepdims === 1) }),
});
export const argmax = (x: Value, axis: number, { keep } = { keep: false }): Value =>
  argmaxOp([x], { axis: fromFront("ArgMax", axis, x.shape.length), keepdims: keep ? 1 : 0 });

const topKOp = defineOp<{ axis: number; largest: number; sorted: number; k: number }>({
  opType: "TopK",
  infer: ([x], { axis, k }) => {
    const shape = x!.shape.with(axis, k);
    return [
      { dtype: x!.dtype, shape },
      { dtype: "int64", shape },
    ];
  },
  emit: (to, { inputs: [x], attrs: { k, ...attrs } }) => to.node("TopK", [to.name(x!), to.int64([k])], attrs),
});
/** The k largest (or smallest) elements along an axis and where they were, in no particular order unless sorted. No gradient. */
export function topK(
  x: Value,
  k: number,
  { axis = -1, largest = true, sorted = false } = {},
): { values: Value; indices: Value } {
  const at = fromFront("TopK", axis, x.shape.length);
  const [values, indices] = topKOp([x], { axis: at, largest: largest ? 1 : 0, sorted: sorted ? 1 : 0, k });
  return { values: values!, indices: indices! };
}

/** log(sum(exp(x))) over axes, which stay as 1, without overflow: the largest element is taken out first. */
export function logSumExp(x: Value, axes: readonly number[]): Value {
  const largest = stopGradient(max(x, axes, { keep: true }));
  return add(log(sum(exp(sub(x, largest)), axes, { keep: true })), largest);
}

/** Written out: ONNX's own Softmax over axis 1 of an image transposes the whole tensor twice and costs 3x. */
export const logSoftmax = (x: Value, axis: number): Value => sub(x, logSumExp(x, [axis]));
export function softmax(x: Value, axis: number): Value {
  const weight = exp(sub(x, stopGradient(max(x, [axis], { keep: true }))));
  return div(weight, sum(weight, [axis], { keep: true }));
}

/** x divided by its length along an axis; a length below 1e-12 counts as 1e-12, so zero stays zero and has no slope. */
export function l2Normalise(x: Value, axis: number): Value {
  const squaredLength = maximum(sum(square(x), [axis], { keep: true }), number(1e-24));
  return mul(x, div(number(1), sqrt(squaredLength)));
}

/** 1 where the class along a new axis equals the index, 0 elsewhere; an index outside 0..classes-1 gives all zeros. */
export function oneHot(indices: Value, classes: number, axis: number): Value {
  const rank = indices.shape.length + 1;
  const at = fromFront("oneHot", axis, rank);
  const shape = Array.from({ length: rank }, (_, i) => (i === at ? classes : 1));
  const ids = constant(
    int64(
      shape,
      Array.from({ length: classes }, (_, i) => i),
    ),
  );
  return cast(equal(reshape(indices, indices.shape.toSpliced(at, 0, 1)), ids), "float32");
}
