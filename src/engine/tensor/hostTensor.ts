import { invariant, UserError } from "../../platform/errors.js";
import { type DType, type Shape, size, type TensorType } from "./shape.js";

const arrays = {
  float32: Float32Array,
  float16: Uint16Array, // raw half-precision bits
  int64: BigInt64Array,
  int32: Int32Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
} as const;

export type HostArray = Float32Array | Uint16Array | BigInt64Array | Int32Array | Int8Array | Uint8Array;

/** A tensor in ordinary memory, row-major. */
export interface HostTensor extends TensorType {
  readonly data: HostArray;
}

/** Tensors by name. */
export type Tensors = Readonly<Record<string, HostTensor>>;

/** The array class that holds elements of this type. */
export const arrayFor = (dtype: DType): (typeof arrays)[DType] => arrays[dtype];

export const bytesPerElement = (dtype: DType): number => arrays[dtype].BYTES_PER_ELEMENT;

/** Bytes of all of some tensors. */
export const totalBytes = (tensors: Tensors): number =>
  Object.values(tensors).reduce((total, { data }) => total + data.byteLength, 0);

export function hostTensor(dtype: DType, shape: Shape, data: HostArray): HostTensor {
  invariant(
    data instanceof arrays[dtype] && data.length === size(shape),
    `${dtype}[${shape.join(", ")}] made from ${data.constructor.name} of ${data.length}`,
  );
  return { dtype, shape, data };
}

export const zeros = ({ dtype, shape }: TensorType): HostTensor =>
  hostTensor(dtype, shape, new arrays[dtype](size(shape)));

export const float32 = (shape: Shape, data: Float32Array | readonly number[]): HostTensor =>
  hostTensor("float32", shape, data instanceof Float32Array ? data : Float32Array.from(data));

export const int64 = (shape: Shape, data: readonly number[]): HostTensor =>
  hostTensor("int64", shape, BigInt64Array.from(data, BigInt));

export const scalar = (value: number): HostTensor => float32([], [value]);

/** The elements as float32; refuses any other type instead of converting it. */
export function floats(tensor: HostTensor | undefined, name: string): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) {
    throw new UserError(`tensor "${name}" is ${tensor ? tensor.dtype : "missing"}, wanted float32`);
  }
  return tensor.data;
}

/** Index of the first NaN or infinity, or -1. Whole-number tensors are always finite. */
export function firstNonFinite({ data }: HostTensor): number {
  if (!(data instanceof Float32Array)) return -1;
  return data.findIndex((x) => !Number.isFinite(x));
}

/** A matrix on its side. */
export function transposed({ shape, data }: HostTensor): HostTensor {
  const [rows, columns] = shape as [number, number];
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) turned[j * rows + i] = Number(data[i * columns + j]);
  return float32([columns, rows], turned);
}
