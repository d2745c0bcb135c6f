import { fromHalf } from "../../engine/tensor/half.js";
import { float32, type HostTensor } from "../../engine/tensor/hostTensor.js";
import { type Shape, size } from "../../engine/tensor/shape.js";

/** Elements of a PyTorch storage: how wide, and how to read one as float32. Whole numbers are not read. */
interface ElementKind {
  readonly bytes: number;
  /** The element at a byte offset; left out for whole numbers. */
  readonly read?: (view: DataView, at: number) => number;
}

/** By the name of the storage class. */
const kinds = {
  FloatStorage: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  DoubleStorage: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  HalfStorage: { bytes: 2, read: (view, at) => fromHalf(view.getUint16(at, true)) },
  BFloat16Storage: { bytes: 2, read: (view, at) => fromBfloat16(view.getUint16(at, true)) },
  LongStorage: { bytes: 8 },
  IntStorage: { bytes: 4 },
  ShortStorage: { bytes: 2 },
  ByteStorage: { bytes: 1 },
  BoolStorage: { bytes: 1 },
} as const satisfies Record<string, ElementKind>;

export type StorageKind = keyof typeof kinds;
export const storageKinds = Object.keys(kinds) as StorageKind[];

export const bytesPerElement = (kind: StorageKind): number => kinds[kind].bytes;
export const holdsFloats = (kind: StorageKind): boolean => "read" in kinds[kind];

/** A run of numbers in the file. */
export class Storage {
  readonly kind: StorageKind;
  /** Which part of the archive holds it. */
  readonly key: string;
  readonly elements: number;

  constructor(kind: StorageKind, key: string, elements: number) {
    this.kind = kind;
    this.key = key;
    this.elements = elements;
  }
}

/** A tensor as PyTorch describes it: where in a storage it starts, and how far apart neighbours lie along each axis. */
export class StridedTensor {
  readonly storage: Storage;
  readonly offset: number;
  readonly shape: Shape;
  readonly strides: readonly number[];

  constructor(storage: Storage, offset: number, shape: Shape, strides: readonly number[]) {
    this.storage = storage;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
  }

  /** Elements of the storage from its start to the last one this tensor touches. */
  get reach(): number {
    if (size(this.shape) === 0) return 0;
    return this.shape.reduce((end, extent, axis) => end + (extent - 1) * this.strides[axis]!, this.offset) + 1;
  }

  /** Whether the elements already lie in row-major order, without gaps. */
  get contiguous(): boolean {
    return this.shape.every((extent, axis) => extent === 1 || this.strides[axis] === size(this.shape.slice(axis + 1)));
  }

  /** The elements in row-major order, as float32, in an array of their own. `bytes` is the whole storage. */
  materialise(bytes: Uint8Array): HostTensor {
    const { shape, strides, storage } = this;
    if (storage.kind === "FloatStorage" && this.contiguous) {
      const start = 4 * this.offset;
      const copy = new Uint8Array(bytes.subarray(start, start + 4 * size(shape)));
      return float32(shape, new Float32Array(copy.buffer));
    }
    const { bytes: width, read }: ElementKind = kinds[storage.kind];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const data = new Float32Array(size(shape));
    const index = shape.map(() => 0);
    let from = this.offset;
    for (let to = 0; to < data.length; to++) {
      data[to] = read!(view, from * width);
      // The next index, like an odometer: the last axis turns fastest.
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        from += strides[axis]!;
        if (++index[axis]! < shape[axis]!) break;
        from -= shape[axis]! * strides[axis]!;
        index[axis] = 0;
      }
    }
    return float32(shape, data);
  }
}

/** The leading half of a float32. */
function fromBfloat16(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}
const scratch = new DataView(new ArrayBuffer(4));
