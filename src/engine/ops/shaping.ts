import { UserError } from "../../platform/errors.js";
import type { Value } from "../graph/value.js";
import { fromFront, type Shape, sameShape, show, size } from "../tensor/shape.js";
import { defineSingle } from "./defineOp.js";

const reshapeOp = defineSingle<{ shape: readonly number[] }>({
  opType: "Reshape",
  infer([x], { shape }, where) {
    if (size(shape) !== size(x!.shape)) {
      throw new UserError(
        `${where}: ${show(x!)} has ${size(x!.shape)} elements, [${shape.join(", ")}] has ${size(shape)}`,
      );
    }
    return { dtype: x!.dtype, shape };
  },
  backward: (dy, { inputs: [x] }) => [reshape(dy, x!.shape)],
  emit: (to, { inputs: [x], attrs: { shape } }) => to.node("Reshape", [to.name(x!), to.shape(shape)]),
});
/** The same elements in the same order under another shape. */
export const reshape = (x: Value, shape: Shape): Value => (sameShape(x.shape, shape) ? x : reshapeOp([x], { shape }));

const squeezeOp = defineSingle<{ axis: number }>({
  opType: "Squeeze",
  infer([x], { axis }, where) {
    if (x!.shape[axis] !== 1) throw new UserError(`${where}: axis ${axis} of ${show(x!)} is not 1`);
    return { dtype: x!.dtype, shape: x!.shape.toSpliced(axis, 1) };
  },
  backward: (dy, { inputs: [x] }) => [reshape(dy, x!.shape)],
  emit: (to, { inputs: [x], attrs: { axis } }) => to.node("Squeeze", [to.name(x!), to.int64([axis])]),
});
/** x without an axis of extent 1. Unlike `reshape`, it is written the same for images of every size. */
export const squeeze = (x: Value, axis: number): Value =>
  squeezeOp([x], { axis: fromFront("Squeeze", axis, x.shape.length) });

const transposeOp = defineSingle<{ perm: readonly number[] }>({
  opType: "Transpose",
  infer([x], { perm }, where) {
    const valid = perm.length === x!.shape.length && x!.shape.every((_, axis) => perm.includes(axis));
    if (!valid) throw new UserError(`${where}: [${perm.join(", ")}] does not reorder the axes of ${show(x!)}`);
    return { dtype: x!.dtype, shape: perm.map((axis) => x!.shape[axis]!) };
  },
  backward: (dy, { attrs: { perm } }) => [
    transpose(
      dy,
      perm.map((_, axis) => perm.indexOf(axis)),
    ),
  ],
});
/** Axis i of the result is axis perm[i] of x. */
export const transpose = (x: Value, perm: readonly number[]): Value =>
  perm.every((axis, i) => axis === i) && perm.length === x.shape.length ? x : transposeOp([x], { perm });

const expandOp = defineSingle<{ shape: readonly number[] }>({
  opType: "Expand",
  infer: ([x], { shape }) => ({ dtype: x!.dtype, shape }),
  backward: (dy) => [dy],
  emit: (to, { inputs: [x], attrs: { shape } }) => to.node("Expand", [to.name(x!), to.shape(shape)]),
});
/** x repeated along its axes of extent 1 until it has this shape. */
export const stretchTo = (x: Value, shape: Shape): Value => (sameShape(x.shape, shape) ? x : expandOp([x], { shape }));

const concatOp = defineSingle<{ axis: number }>({
  opType: "Concat",
  infer(inputs, { axis }, where) {
    const [first, ...rest] = inputs;
    if (first === undefined) throw new UserError(`${where}: needs at least one tensor`);
    for (const other of rest) {
      const fits =
        other.dtype === first.dtype &&
        other.shape.length === first.shape.length &&
        other.shape.every((extent, i) => i === axis || extent === first.shape[i]);
      if (!fits)
        throw new UserError(`${where}: along axis ${axis} ${show(other)} does not line up with ${show(first)}`);
    }
    return {
      dtype: first.dtype,
      shape: first.shape.with(
        axis,
        inputs.reduce((total, t) => total + t.shape[axis]!, 0),
      ),
    };
  },
  // Joining is undone by cutting: each input gets back its own span of dy.
  backward(dy, { inputs, attrs: { axis } }) {
    let start = 0;
    return inputs.map((x) => {
      const end = start + x.shape[axis]!;
      const span = slice(dy, axis, start, end);
      start = end;
      return span;
    });
  },
});
/** Join tensors along one axis, e.g. ASPP branches along channels (axis 1 of NCHW). */
export function concat(inputs: readonly Value[], axis: number): Value {
  if (inputs.length === 1) return inputs[0]!;
  return concatOp(inputs, { axis: fromFront("Concat", axis, inputs[0]?.shape.length ?? 0) });
}

type Cut = {
  readonly axes: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly steps: readonly number[];
};

const sliceOp = defineSingle<Cut>({
  opType: "Slice",
  infer([x], { axes, starts, ends, steps }, where) {
    const shape = [...x!.shape];
    axes.forEach((axis, i) => {
      const [start, end, step] = [starts[i]!, ends[i]!, steps[i]!];
      if (!(step >= 1 && start >= 0 && start < end && end <= shape[axis]!)) {
        throw new UserError(
          `${where}: ${start}..${end} in steps of ${step} does not lie on axis ${axis} of ${show(x!)}`,
        );
      }
      shape[axis] = Math.ceil((end - start) / step);
    });
    return { dtype: x!.dtype, shape };
  },
  // Cutting is undone by padding: what was cut away had no influence.
  backward(dy, { inputs: [x], attrs: { axes, starts, steps } }) {
    const spread = axes.reduce((wide, axis, i) => spreadOut(wide, axis, steps[i]!), dy);
    const before = x!.shape.map((_, axis) => starts[axes.indexOf(axis)] ?? 0);
    const after = x!.shape.map((extent, axis) => extent - before[axis]! - spread.shape[axis]!);
    return [pad(spread, before, after)];
  },
  emit: (to, { inputs: [x], attrs: { axes, starts, ends, steps } }) =>
    to.node("Slice", [to.name(x!), to.int64(starts), to.int64(ends), to.int64(axes), to.int64(steps)]),
});

/** A stretch along one axis: elements start, start + step, … below end. */
export interface Stretch {
  readonly axis: number;
  readonly start: number;
  readonly end: number;
  readonly step?: number;
}
/** The part of x inside some stretches, all cut at once. */
export function cut(x: Value, stretches: readonly Stretch[]): Value {
  const real = stretches
    .map((one) => ({ step: 1, ...one, axis: fromFront("Slice", one.axis, x.shape.length) }))
    .filter(({ axis, start, end, step }) => start !== 0 || end !== x.shape[axis] || step !== 1);
  if (real.length === 0) return x;
  return sliceOp([x], {
    axes: real.map((one) => one.axis),
    starts: real.map((one) => one.start),
    ends: real.map((one) => one.end),
    steps: real.map((one) => one.step),
  });
}
export const slice = (x: Value, axis: number, start: number, end: number, step = 1): Value =>
  cut(x, [{ axis, start, end, step }]);

/** step - 1 zeros between neighbours along an axis. */
function spreadOut(x: Value, axis: number, step: number): Value {
  if (step === 1) return x;
  const extent = x.shape[axis]!;
  const wide = padAxis(reshape(x, x.shape.toSpliced(axis + 1, 0, 1)), axis + 1, 0, step - 1);
  return slice(reshape(wide, x.shape.with(axis, extent * step)), axis, 0, (extent - 1) * step + 1);
}

const flipOp = defineSingle<{ axes: readonly number[] }>({
  opType: "Flip",
  infer: ([x]) => x!,
  backward: (dy, { attrs: { axes } }) => [flip(dy, axes)],
  emit(to, { inputs: [x], attrs: { axes } }) {
    const each = (value: number): string => to.int64(axes.map(() => value));
    to.node("Slice", [to.name(x!), each(-1), each(Number.MIN_SAFE_INTEGER), to.int64(axes), each(-1)]);
  },
});
/** The elements in reverse order along some axes. */
export const flip = (x: Value, axes: readonly number[]): Value => flipOp([x], { axes });

const padOp = defineSingle<{ before: readonly number[]; after: readonly number[]; mode: "constant" | "reflect" }>({
  opType: "Pad",
  infer([x], { before, after, mode }, where) {
    x!.shape.forEach((extent, axis) => {
      const most = mode === "reflect" ? extent - 1 : Number.POSITIVE_INFINITY;
      if (before[axis]! < 0 || after[axis]! < 0 || before[axis]! > most || after[axis]! > most) {
        throw new UserError(
          `${where}: cannot pad axis ${axis} of ${show(x!)} by ${before[axis]} and ${after[axis]} (${mode})`,
        );
      }
    });
    return { dtype: x!.dtype, shape: x!.shape.map((extent, axis) => extent + before[axis]! + after[axis]!) };
  },
  backward(dy, { inputs: [x], attrs: { before, mode } }) {
    if (mode === "reflect")
      throw new UserError("Pad: a reflected border has no gradient here", { hint: "pad with zeros when training" });
    return [
      cut(
        dy,
        x!.shape.map((extent, axis) => ({ axis, start: before[axis]!, end: before[axis]! + extent })),
      ),
    ];
  },
  emit: (to, { inputs: [x], attrs: { before, after, mode } }) =>
    to.node("Pad", [to.name(x!), to.int64([...before, ...after])], { mode }),
});
/** Zeros (or a mirror image) around x: so many elements before and after, per axis. */
export function pad(
  x: Value,
  before: readonly number[],
  after: readonly number[],
  mode: "constant" | "reflect" = "constant",
): Value {
  return before.every((n) => n === 0) && after.every((n) => n === 0) ? x : padOp([x], { before, after, mode });
}
function padAxis(x: Value, axis: number, before: number, after: number): Value {
  const only = (n: number): number[] => x.shape.map((_, i) => (i === axis ? n : 0));
  return pad(x, only(before), only(after));
}
