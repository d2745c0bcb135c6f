import { UserError } from "../../platform/errors.js";
import { constant, type Real, real, type Value } from "../graph/value.js";
import { float32, scalar } from "../tensor/hostTensor.js";
import { broadcast, type DType, sameShape, show, size, type TensorType } from "../tensor/shape.js";
import { defineSingle, requireType, type Site } from "./defineOp.js";
import { reshape } from "./shaping.js";

export type None = Record<string, never>;
type Binary = Site<None> & { readonly output: Value };

/** Two tensors of one type, stretched to a common shape. */
function stretch([a, b]: readonly TensorType[], where: string, dtype?: DType): TensorType {
  if (a!.dtype !== b!.dtype) throw new UserError(`${where}: ${show(a!)} and ${show(b!)} have different element types`);
  return { dtype: dtype ?? a!.dtype, shape: broadcast(where, a!, b!) };
}

/** Gradients here keep the broadcast shape; `gradients` sums them down to the input's own. */
function binary(
  opType: string,
  backward: (dy: Value, a: Value, b: Value, y: Value) => readonly Value[],
): (a: Value, b: Value) => Value {
  const op = defineSingle<None>({
    opType,
    infer: (types, _, where) => stretch(types, where),
    backward: (dy, { inputs: [a, b], output }: Binary) => backward(dy, a!, b!, output),
  });
  return (a, b) => op(unstretched(a, b), {});
}

/** Broadcasting stretches anyway: an Expand on one side that the other side already implies need not be computed. */
function unstretched(a: Value, b: Value): [Value, Value] {
  const inner = (x: Value, other: Value): Value => {
    const small = x.node?.opType === "Expand" ? x.node.inputs[0]! : x;
    return small !== x && sameShape(broadcast("", small.type, other.type), x.shape) ? small : x;
  };
  const left = inner(a, b);
  return [left, left === a ? inner(b, a) : b];
}

function unary(opType: string, backward: (dy: Value, x: Value, y: Value) => Value): (x: Value) => Value {
  const op = defineSingle<None>({
    opType,
    infer: ([x], _, where) => {
      requireType(where, x!, "float32", "float16");
      return x!;
    },
    backward: (dy, { inputs: [x], output }) => [backward(dy, x!, output)],
  });
  return (x) => op([x], {});
}

/** A number as a value of the graph. */
export const number = (value: number): Value => constant(scalar(value));

export const add = binary("Add", (dy) => [dy, dy]);
export const sub = binary("Sub", (dy) => [dy, neg(dy)]);
export const mul = binary("Mul", (dy, a, b) => [mul(dy, b), mul(dy, a)]);
export const div = binary("Div", (dy, _, b, y) => {
  const da = div(dy, b);
  return [da, neg(mul(da, y))];
});

export const neg = unary("Neg", (dy) => neg(dy));
export const exp = unary("Exp", (dy, _, y) => mul(dy, y));
export const sqrt = unary("Sqrt", (dy, _, y) => div(mul(dy, number(0.5)), y));
export const tanh = unary("Tanh", (dy, _, y) => mul(dy, sub(number(1), mul(y, y))));
export const sigmoid = unary("Sigmoid", (dy, _, y) => mul(dy, mul(y, sub(number(1), y))));
/** |x|; at 0 the gradient is 0, as in PyTorch. */
export const abs = unary("Abs", (dy, x) => mul(dy, sign(x)));
export const sign = unary("Sign", (dy) => mul(dy, number(0)));

const logOf = (opType: string, keepdims: 0 | 1): ((inputs: readonly Value[], attrs: None) => Value) =>
  defineSingle<None>({
    opType,
    infer([x], _, where) {
      requireType(where, x!, "float32", "float16");
      return { dtype: x!.dtype, shape: keepdims === 1 ? x!.shape : x!.shape.slice(1) };
    },
    backward: (dy, { inputs: [x] }) => [div(reshape(dy, x!.shape), x!)],
    emit: (to, { inputs: [x] }) => to.node("ReduceLogSum", [to.name(x!)], { axes: [0], keepdims }),
  });
const logRowOp = logOf("LogRow", 0);
const logSingleOp = logOf("LogSingle", 1);
/**
 * Natural logarithm, as the logarithm of a sum of one: the runtime's own Log rounds the last elements of each thread's
 * share differently, so its results depend on the number of threads. A single image needs no reshaping for it, and is written
 * the same at every size.
 */
export const log = (x: Value): Value =>
  x.shape[0] === 1 ? logSingleOp([x], {}) : reshape(logRowOp([reshape(x, [1, size(x.shape)])], {}), x.shape);

export const square = (x: Value): Value => mul(x, x);
/** x plus, and times, a plain number. */
export const shift = (x: Value, by: number): Value => add(x, number(by));
export const scale = (x: Value, by: number): Value => mul(x, number(by));

const powOp = defineSingle<{ exponent: Real }>({
  opType: "Pow",
  infer: ([x]) => x!,
  backward: (dy, { inputs: [x], attrs: { exponent } }) => [mul(dy, scale(pow(x!, exponent.real - 1), exponent.real))],
  emit: (to, { inputs: [x], attrs: { exponent } }) => to.node("Pow", [to.name(x!), to.name(number(exponent.real))]),
});
/** x to a fixed power. */
export const pow = (x: Value, exponent: number): Value => powOp([x], { exponent: real(exponent) });

/** The larger (smaller) of two; where they are equal the first one gets the gradient. */
function extreme(opType: "Max" | "Min", firstWins: (a: Value, b: Value) => Value): (a: Value, b: Value) => Value {
  return binary(opType, (dy, a, b) => {
    const first = cast(firstWins(a, b), "float32");
    return [mul(dy, first), mul(dy, sub(number(1), first))];
  });
}
export const maximum = extreme("Max", (a, b) => greaterOrEqual(a, b));
export const minimum = extreme("Min", (a, b) => greaterOrEqual(b, a));

/** 1 where x is above zero, 0 elsewhere: a line so steep that it is a step. Cheaper than a comparison and a cast. */
const stepOp = defineSingle<None>({
  opType: "Step",
  infer: ([x]) => x!,
  emit: (to, { inputs: [x] }) => to.node("HardSigmoid", [to.name(x!)], { alpha: real(1e38), beta: real(0) }),
});
const isAboveZero = (x: Value): Value => stepOp([x], {});

/** max(x, 0). The gradient uses the output, not the input, so the input need not be kept. */
const reluOp = defineSingle<None>({
  opType: "Relu",
  infer: ([x]) => x!,
  backward: (dy, { output: y }) => [mul(dy, isAboveZero(y))],
});
export const relu = (x: Value): Value => reluOp([x], {});

export const leakyRelu = (x: Value, slope: number): Value => maximum(x, scale(x, slope));

const clipOp = defineSingle<None>({
  opType: "Clip",
  infer: ([x]) => x!,
  backward: (dy, { inputs: [x, low, high] }) => {
    const inside = and(greaterOrEqual(x!, low!), greaterOrEqual(high!, x!));
    return [mul(dy, cast(inside, "float32")), null, null];
  },
});
/** x held between two numbers; outside them nothing flows back. */
export const clip = (x: Value, low: number, high: number): Value => clipOp([x, number(low), number(high)], {});

function comparison(opType: string): (a: Value, b: Value) => Value {
  const op = defineSingle<None>({ opType, infer: (types, _, where) => stretch(types, where, "bool") });
  return (a, b) => op([a, b], {});
}
export const equal = comparison("Equal");
export const greater = comparison("Greater");
export const greaterOrEqual = comparison("GreaterOrEqual");

function logical(opType: string): (a: Value, b: Value) => Value {
  const op = defineSingle<None>({
    opType,
    infer: (types, _, where) => {
      for (const type of types) requireType(where, type, "bool");
      return stretch(types, where);
    },
  });
  return (a, b) => op([a, b], {});
}
export const and = logical("And");
export const or = logical("Or");
const notOp = defineSingle<None>({
  opType: "Not",
  infer: ([x], _, where) => {
    requireType(where, x!, "bool");
    return x!;
  },
});
export const not = (x: Value): Value => notOp([x], {});

const whereOp = defineSingle<None>({
  opType: "Where",
  infer([condition, a, b], _, where) {
    requireType(where, condition!, "bool");
    const branches = stretch([a!, b!], where);
    return { dtype: branches.dtype, shape: broadcast(where, condition!, branches) };
  },
  backward: (dy, { inputs: [condition] }) => [null, where(condition!, dy, number(0)), where(condition!, number(0), dy)],
});
/** a where the condition holds, b elsewhere. */
export const where = (condition: Value, a: Value, b: Value): Value => whereOp([condition, a, b], {});

/** ONNX numbers of element types, for Cast. */
const onnxType: Record<DType, number> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
};
const castOp = defineSingle<{ to: number; dtype: DType }>({
  opType: "Cast",
  infer: ([x], { dtype }) => ({ dtype, shape: x!.shape }),
  backward: (dy, { inputs: [x] }) => [
    x!.type.dtype === "float32" || x!.type.dtype === "float16" ? cast(dy, x!.type.dtype) : null,
  ],
  emit: (to, { inputs: [x], attrs }) => to.node("Cast", [to.name(x!)], { to: attrs.to }),
});
export const cast = (x: Value, dtype: DType): Value =>
  x.type.dtype === dtype ? x : castOp([x], { to: onnxType[dtype], dtype });

const stopOp = defineSingle<None>({ opType: "Identity", infer: ([x]) => x! });
/** x, but nothing flows back through it. */
export const stopGradient = (x: Value): Value => stopOp([x], {});

/** A float tensor of one number repeated. */
export const filled = (shape: readonly number[], value: number): Value =>
  constant(float32(shape, new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value)));
