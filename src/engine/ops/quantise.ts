import { invariant } from "../../platform/errors.js";
import { constant, type Value } from "../graph/value.js";
import { float32, hostTensor } from "../tensor/hostTensor.js";
import { defineSingle } from "./defineOp.js";
import type { None } from "./elementwise.js";

/** Smallest and largest number that a value takes. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const quantiseOp = defineSingle<None>({
  opType: "QuantizeLinear",
  infer: ([x, , zero]) => ({ dtype: zero!.dtype, shape: x!.shape }),
});
const dequantiseOp = defineSingle<{ axis: number }>({
  opType: "DequantizeLinear",
  infer: ([codes]) => ({ dtype: "float32", shape: codes!.shape }),
});

/**
 * x rounded to one of 256 evenly spaced numbers that cover its range and include 0: what runtimes read as "compute this in
 * bytes". What lies outside the range is held to it.
 */
export function throughBytes(x: Value, { low, high }: Range): Value {
  const [least, most] = [Math.min(low, 0), Math.max(high, 0)];
  const step = (most - least) / 255 || 1; // a value that is always 0 may have any step
  const scale = constant(float32([], [step]));
  const zero = constant(hostTensor("uint8", [], Uint8Array.of(Math.round(-least / step))));
  return dequantiseOp([quantiseOp([x, scale, zero], {}), scale, zero], { axis: 0 });
}

/**
 * Whole numbers up to this in a filter of bytes. With 127 a sum of two products overflows 16 bits, and processors without
 * instructions for it (AVX2) would clip it silently.
 */
const LARGEST = 63;

/** A filter [out, …] stored in bytes, each of its outputs with a step of its own. */
export function filterInBytes(filter: Value): Value {
  const { origin, shape } = filter;
  invariant("constant" in origin && origin.constant.data instanceof Float32Array, "a filter in bytes must be known");
  const values = origin.constant.data;
  const each = values.length / shape[0]!;
  const steps = Float32Array.from({ length: shape[0]! }, (_, o) => {
    const largest = values.subarray(o * each, (o + 1) * each).reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    return largest / LARGEST || 1;
  });
  const codes = new Int8Array(values.length);
  for (let i = 0; i < codes.length; i++) codes[i] = Math.round(values[i]! / steps[Math.floor(i / each)]!);
  const zeros = constant(hostTensor("int8", [shape[0]!], new Int8Array(shape[0]!)));
  const stored = constant(hostTensor("int8", shape, codes));
  return dequantiseOp([stored, constant(float32([shape[0]!], steps)), zeros], { axis: 0 });
}
