import { UserError } from "../../platform/errors.js";
import { arrayFor, bytesPerElement, type HostTensor, hostTensor, type Tensors } from "./hostTensor.js";
import { type DType, type Shape, size } from "./shape.js";

/**
 * Named tensors as bytes, in the safetensors format: the length of a JSON header, the header, the data.
 *
 * Nothing in such a file can run or point outside it. The reader trusts none of it: every offset is checked before
 * anything is allocated, and the data must be covered exactly, without holes, overlaps or a tail.
 */
const dtypes: Record<string, DType> = {
  F32: "float32",
  F16: "float16",
  I64: "int64",
  I32: "int32",
  I8: "int8",
  U8: "uint8",
  BOOL: "bool",
};
const MAX_HEADER_BYTES = 2 * 1024 * 1024;
const MAX_TENSORS = 10_000;
const ALIGNMENT = 8;

export interface SafetensorsFile {
  readonly tensors: Tensors;
  readonly metadata: Readonly<Record<string, string>>;
}

export function writeSafetensors(tensors: Tensors, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
  // Widest elements first keeps every tensor aligned to its element size.
  const entries = Object.entries(tensors).sort(
    ([a, x], [b, y]) => bytesPerElement(y.dtype) - bytesPerElement(x.dtype) || (a < b ? -1 : 1),
  );
  const header: Record<string, unknown> = Object.keys(metadata).length === 0 ? {} : { __metadata__: metadata };
  let end = 0;
  for (const [name, { dtype, shape, data }] of entries) {
    const code = Object.keys(dtypes).find((key) => dtypes[key] === dtype);
    header[name] = { dtype: code, shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(8 + headerBytes + end).fill(0x20, 8, 8 + headerBytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes), true);
  file.set(json, 8);
  let at = 8 + headerBytes;
  for (const [, { data }] of entries) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}

/** `name` is what to call the file in messages. */
export function readSafetensors(bytes: Uint8Array, name: string): SafetensorsFile {
  const refuse = (why: string): never => {
    throw new UserError(`${name}: ${why}`, { hint: "the file is damaged or is not a safetensors file" });
  };
  if (bytes.length < 8) refuse(`has ${bytes.length} bytes, too few for a header`);
  const declared = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (declared > BigInt(Math.min(MAX_HEADER_BYTES, bytes.length - 8))) {
    refuse(
      `declares a header of ${declared} bytes; the file has ${bytes.length}, and at most ${MAX_HEADER_BYTES} are read`,
    );
  }
  const start = 8 + Number(declared);
  const header = parseHeader(bytes.subarray(8, start), refuse);
  const { __metadata__: metadata = {}, ...described } = header;
  const entries = Object.entries(described).map(([key, entry]) => checkEntry(key, entry, refuse));
  if (Object.hasOwn(described, "__proto__")) refuse('has a tensor called "__proto__"');
  if (entries.length > MAX_TENSORS) refuse(`holds ${entries.length} tensors, at most ${MAX_TENSORS} are read`);

  const tensors: Record<string, HostTensor> = {};
  let expected = 0;
  for (const { key, dtype, shape, from, to } of entries.sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== expected)
      refuse(`tensor "${key}" starts at byte ${from}, expected ${expected}: data overlaps or has a hole`);
    if (start + to > bytes.length) refuse(`tensor "${key}" ends at byte ${to}, the data has ${bytes.length - start}`);
    expected = to;
    // A copy of its own: aligned whatever the file's layout, and not holding on to the whole file.
    const data = new Uint8Array(bytes.subarray(start + from, start + to));
    const ArrayType = arrayFor(dtype);
    tensors[key] = hostTensor(dtype, shape, new ArrayType(data.buffer, 0, size(shape)));
  }
  if (start + expected !== bytes.length) refuse(`has ${bytes.length - start - expected} bytes after its last tensor`);
  return { tensors, metadata: checkMetadata(metadata, refuse) };
}

type Refuse = (why: string) => never;

function parseHeader(json: Uint8Array, refuse: Refuse): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    return refuse("its header is not JSON");
  }
  if (typeof header !== "object" || header === null || Array.isArray(header))
    return refuse("its header is not an object");
  return { ...header };
}

interface Entry {
  readonly key: string;
  readonly dtype: DType;
  readonly shape: Shape;
  readonly from: number;
  readonly to: number;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function checkEntry(key: string, entry: unknown, refuse: Refuse): Entry {
  const { dtype: code, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const dtype = typeof code === "string" && Object.hasOwn(dtypes, code) ? dtypes[code] : undefined;
  if (dtype === undefined)
    return refuse(`tensor "${key}" has element type ${JSON.stringify(code)}, known: ${Object.keys(dtypes).join(", ")}`);
  if (!Array.isArray(shape) || !shape.every(isCount))
    return refuse(`tensor "${key}" has shape ${JSON.stringify(shape)}`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount)) {
    return refuse(`tensor "${key}" has offsets ${JSON.stringify(offsets)}`);
  }
  const [from, to] = offsets as [number, number];
  if (to - from !== size(shape) * bytesPerElement(dtype)) {
    return refuse(`tensor "${key}" ${code}[${shape.join(", ")}] does not fit its ${to - from} bytes`);
  }
  return { key, dtype, shape, from, to };
}

function checkMetadata(metadata: unknown, refuse: Refuse): Record<string, string> {
  const entries =
    typeof metadata === "object" && metadata !== null
      ? Object.entries(metadata)
      : refuse("its metadata is not an object");
  for (const [key, value] of entries) if (typeof value !== "string") refuse(`its metadata "${key}" is not text`);
  return Object.fromEntries(entries) as Record<string, string>;
}
