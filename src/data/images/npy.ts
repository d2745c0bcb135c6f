import { UserError } from "../../platform/errors.js";

/** What one number of an array is: `kind` as NumPy writes it, `bytes` its size. */
export interface NpyElement {
  readonly kind: "u" | "i" | "f" | "b";
  readonly bytes: 1 | 2 | 4 | 8;
  readonly littleEndian: boolean;
}

/** The head of an `.npy` file (NumPy's format 1.0 to 3.0): where the numbers start, what they are, and their shape. */
export interface NpyHead {
  readonly offset: number;
  readonly element: NpyElement;
  readonly shape: readonly number[];
}

/** Enough bytes to see how long the head is. */
export const NPY_START = 12;
/** A head is a short dictionary; NumPy itself refuses longer ones. */
const LONGEST_HEAD = 10_000;
const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** How many bytes the head takes, from the first `NPY_START` of the file. */
export function npyHeadLength(bytes: Uint8Array, name: string): number {
  if (bytes.length < NPY_START || magic.some((byte, i) => bytes[i] !== byte)) {
    throw new UserError(`${name}: is not an .npy file`, { hint: "save the array with numpy.save" });
  }
  const [major, minor] = [bytes[6]!, bytes[7]!];
  if (major < 1 || major > 3 || minor !== 0) {
    throw new UserError(`${name}: .npy version ${major}.${minor}, known are 1.0, 2.0 and 3.0`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = major === 1 ? 10 : 12;
  const length = start + (major === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (length > LONGEST_HEAD)
    throw new UserError(`${name}: an .npy head of ${length} bytes, wanted at most ${LONGEST_HEAD}`);
  return length;
}

/** Read the head. Only plain numbers in C order: no Python objects, no records, nothing that would have to be run. */
export function parseNpyHead(bytes: Uint8Array, name: string): NpyHead {
  const offset = npyHeadLength(bytes, name);
  if (bytes.length < offset) throw new UserError(`${name}: ends within its head`);
  const start = bytes[6] === 1 ? 10 : 12;
  const text = new TextDecoder("utf-8").decode(bytes.subarray(start, offset));
  const fields =
    /^\{\s*'descr':\s*'([^']*)',\s*'fortran_order':\s*(True|False),\s*'shape':\s*\(([\d,\s]*)\),?\s*\}\s*$/.exec(text);
  if (fields === null) {
    throw new UserError(`${name}: cannot read its head, ${JSON.stringify(text.trim().slice(0, 80))}`, {
      hint: "wanted a plain array of numbers: no records, no Python objects",
    });
  }
  const [, descr = "", fortran, sizes = ""] = fields;
  if (fortran === "True") {
    throw new UserError(`${name}: the array is in Fortran order`, { hint: "save numpy.ascontiguousarray(array)" });
  }
  const shape = sizes
    .split(",")
    .map((size) => size.trim())
    .filter((size) => size !== "")
    .map(Number);
  if (!Number.isSafeInteger(shape.reduce((so, size) => so * size, 1))) {
    throw new UserError(`${name}: shape (${sizes}) has more numbers than can be counted`);
  }
  return { offset, element: elementOf(descr, name), shape };
}

function elementOf(descr: string, name: string): NpyElement {
  const [, order, kind, size] = /^([<>|=]?)([a-zA-Z])(\d+)$/.exec(descr) ?? [];
  const bytes = Number(size);
  const sizes: Partial<Record<string, readonly number[]>> = { u: [1, 2, 4, 8], i: [1, 2, 4, 8], f: [2, 4, 8], b: [1] };
  if (kind === undefined || !sizes[kind]?.includes(bytes)) {
    throw new UserError(`${name}: numbers of type "${descr}" are not read`, {
      hint: "known: bool, uint8 to uint64, int8 to int64, float16, float32, float64",
    });
  }
  return {
    kind: kind as NpyElement["kind"],
    bytes: bytes as NpyElement["bytes"],
    littleEndian: order !== ">",
  };
}

/** The numbers of a piece of the file. 64-bit integers that a double cannot hold come out rounded, far outside any label. */
export function decodeNpy(bytes: Uint8Array, { kind, bytes: size, littleEndian }: NpyElement): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(bytes.byteLength / size);
  const at = reader(view, `${kind}${size}`, littleEndian);
  for (let i = 0; i < values.length; i++) values[i] = at(i * size);
  return values;
}

function reader(view: DataView, type: string, little: boolean): (offset: number) => number {
  switch (type) {
    case "u1":
    case "b1":
      return (at) => view.getUint8(at);
    case "u2":
      return (at) => view.getUint16(at, little);
    case "u4":
      return (at) => view.getUint32(at, little);
    case "u8":
      return (at) => Number(view.getBigUint64(at, little));
    case "i1":
      return (at) => view.getInt8(at);
    case "i2":
      return (at) => view.getInt16(at, little);
    case "i4":
      return (at) => view.getInt32(at, little);
    case "i8":
      return (at) => Number(view.getBigInt64(at, little));
    case "f2":
      return (at) => halfFloat(view.getUint16(at, little));
    case "f4":
      return (at) => view.getFloat32(at, little);
    default:
      return (at) => view.getFloat64(at, little);
  }
}

/** The number of a 16-bit floating-point pattern: 1 sign, 5 exponent and 10 fraction bits. */
export function halfFloat(pattern: number): number {
  const sign = pattern & 0x8000 ? -1 : 1;
  const exponent = (pattern >> 10) & 31;
  const fraction = pattern & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
