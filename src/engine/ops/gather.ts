import { UserError } from "../../platform/errors.js";
import { constant, type Value } from "../graph/value.js";
import { zeros } from "../tensor/hostTensor.js";
import { fromFront, show, size } from "../tensor/shape.js";
import { defineSingle, requireType } from "./defineOp.js";
import { reshape, transpose } from "./shaping.js";

/** So many zero rows, with the rows of dy added where the indices point. */
const scatterRowsOp = defineSingle<{ rows: number }>({
  opType: "ScatterRows",
  infer: ([, dy], { rows }) => ({ dtype: dy!.dtype, shape: dy!.shape.with(0, rows) }),
  backward: (dy, { inputs: [indices] }) => [null, gather(dy, reshape(indices!, [indices!.shape[0]!]), 0)],
  emit(to, { inputs: [indices, dy], attrs: { rows } }) {
    const empty = constant(zeros({ dtype: dy!.type.dtype, shape: dy!.shape.with(0, rows) }));
    to.node("ScatterND", [to.name(empty), to.name(indices!), to.name(dy!)], { reduction: "add" });
  },
});

const gatherOp = defineSingle<{ axis: number }>({
  opType: "Gather",
  infer([x, indices], { axis }, where) {
    requireType(where, indices!, "int64", "int32");
    return { dtype: x!.dtype, shape: [...x!.shape.slice(0, axis), ...indices!.shape, ...x!.shape.slice(axis + 1)] };
  },
  // Rows that were picked twice get both gradients.
  backward(dy, { inputs: [x, indices], attrs: { axis } }) {
    const count = size(indices!.shape);
    const rest = x!.shape.toSpliced(axis, 1);
    const flat = reshape(dy, [...rest.slice(0, axis), count, ...rest.slice(axis)]);
    const toFront = [axis, ...rest.map((_, i) => (i < axis ? i : i + 1))];
    const rows = scatterRowsOp([reshape(indices!, [count, 1]), transpose(flat, toFront)], { rows: x!.shape[axis]! });
    return [
      transpose(
        rows,
        toFront.map((_, i) => toFront.indexOf(i)),
      ),
      null,
    ];
  },
});
/** Slices of x along an axis, picked by whole-number indices (which may repeat). */
export const gather = (x: Value, indices: Value, axis: number): Value =>
  gatherOp([x, indices], { axis: fromFront("Gather", axis, x.shape.length) });

/** base, with the elements of dy added where the indices point along the axis. */
const scatterElementsOp = defineSingle<{ axis: number }>({
  opType: "ScatterElements",
  infer: ([base]) => base!,
  backward: (dy, { inputs: [, indices], attrs: { axis } }) => [dy, null, gatherElements(dy, indices!, axis)],
  emit: (to, { inputs, attrs: { axis } }) =>
    to.node(
      "ScatterElements",
      inputs.map((value) => to.name(value)),
      { axis, reduction: "add" },
    ),
});

/** base, with each element of dy added at its index along the axis; all other coordinates stay. */
export const scatterElements = (base: Value, indices: Value, dy: Value, axis: number): Value =>
  scatterElementsOp([base, indices, dy], { axis });

/** a + b, where b is all zeros but for some scattered elements: those are added to a in place of the whole. */
export function addScattered(a: Value, b: Value): Value | null {
  const node = b.node;
  if (node?.opType !== "ScatterElements" || !isZero(node.inputs[0]!)) return null;
  return scatterElementsOp([a, node.inputs[1]!, node.inputs[2]!], { axis: Number(node.attrs.axis) });
}
const isZero = (x: Value): boolean =>
  "constant" in x.origin && x.origin.constant.data.every((element) => Number(element) === 0);

const gatherElementsOp = defineSingle<{ axis: number }>({
  opType: "GatherElements",
  infer([x, indices], { axis }, where) {
    requireType(where, indices!, "int64", "int32");
    const fits =
      x!.shape.length === indices!.shape.length && x!.shape.every((n, i) => i === axis || n === indices!.shape[i]);
    if (!fits) throw new UserError(`${where}: along axis ${axis} ${show(indices!)} does not index ${show(x!)}`);
    return { dtype: x!.dtype, shape: indices!.shape };
  },
  backward: (dy, { inputs: [x, indices], attrs: { axis } }) => [
    scatterElementsOp([constant(zeros(x!.type)), indices!, dy], { axis }),
    null,
  ],
});
/** For each index, the element of x at that place along the axis; all other coordinates stay. */
export const gatherElements = (x: Value, indices: Value, axis: number): Value =>
  gatherElementsOp([x, indices], { axis: fromFront("GatherElements", axis, x.shape.length) });
