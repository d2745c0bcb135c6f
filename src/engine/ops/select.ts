import { UserError } from "../../platform/errors.js";
import { constant, type Real, real, type Value } from "../graph/value.js";
import { float32, hostTensor } from "../tensor/hostTensor.js";
import { sameShape, show, size } from "../tensor/shape.js";
import { defineSingle, requireType } from "./defineOp.js";
import { cast } from "./elementwise.js";
import { sum } from "./reduce.js";
import { reshape } from "./shaping.js";

/** How many elements of a boolean tensor are true: int64, exact however many there are. */
export const countTrue = (x: Value): Value => cast(sum(cast(x, "int32")), "int64");

const kthLargestOp = defineSingle<{ otherwise: Real }>({
  opType: "KthLargest",
  infer([x, among, k], _, where) {
    requireType(where, x!, "float32");
    requireType(where, among!, "bool");
    requireType(where, k!, "int64");
    if (!sameShape(x!.shape, among!.shape))
      throw new UserError(`${where}: ${show(among!)} does not say which elements of ${show(x!)} take part`);
    return { dtype: "float32", shape: [] };
  },
  // How many elements take part, and how many are looked for, shows only when it runs; so do the shapes on the way.
  emit(to, { inputs: [x, among, k], attrs: { otherwise } }) {
    const chosen = to.step("Compress", [to.name(x!), to.name(among!)], { axis: 0 });
    const spare = to.name(constant(float32([1], [otherwise.real])));
    const never = to.step("Concat", [chosen, spare], { axis: 0 });
    const largest = to.step("TopK", [never, to.name(k!)], { axis: 0, largest: 1, sorted: 0 }, 1);
    to.node("ReduceMin", [largest], { axes: [0], keepdims: 0 });
  },
});

/**
 * The k-th largest of some elements: a selection, not a sort, exact to the bit whatever the ties. No gradient.
 *
 * x float32 and `among` bool of one shape, k int64 scalar, from 1 to the number of elements that take part. Where none do,
 * k is 1 and the answer is `otherwise`, a number below every element.
 */
export function kthLargest(x: Value, among: Value, k: Value, otherwise: number): Value {
  const flat = (value: Value): Value => reshape(value, [size(value.shape)]);
  return kthLargestOp([flat(x), flat(among), reshape(k, [1])], { otherwise: real(otherwise) });
}

const histogramOp = defineSingle<{ bins: number }>({
  opType: "Histogram",
  infer([indices], { bins }, where) {
    requireType(where, indices!, "int64", "int32");
    return { dtype: "int32", shape: [bins] };
  },
  emit(to, { inputs: [indices], attrs: { bins } }) {
    const filled = (length: number, value: number): string =>
      to.name(constant(hostTensor("int32", [length], new Int32Array(length).fill(value))));
    const ones = to.step("Expand", [filled(1, 1), to.shape(indices!.shape)]);
    to.node("ScatterElements", [filled(bins, 0), to.name(indices!), ones], { axis: 0, reduction: "add" });
  },
});

/** How often each of the numbers 0 to bins - 1 occurs: int32 [bins]. Other numbers must not occur. No gradient. */
export const histogram = (indices: Value, bins: number): Value =>
  histogramOp([reshape(indices, [size(indices.shape)])], { bins });
