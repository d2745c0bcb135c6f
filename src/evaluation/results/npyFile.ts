import { type FileHandle, open } from "node:fs/promises";
import { decodeNpy, NPY_START, type NpyHead, npyHeadLength, parseNpyHead } from "../../data/images/npy.js";
import { UserError } from "../../platform/errors.js";

/** A stack of maps, or one map, in an `.npy` file: [N, H, W] or [H, W]. */
export interface NpyStack {
  readonly head: NpyHead;
  readonly count: number;
  readonly height: number;
  readonly width: number;
  /** Numbers of map `index`; only that part of the file is read. */
  read(index: number): Promise<Float64Array>;
  close(): Promise<void>;
}

/** Open and check the whole of the head: a file that is too short or too long is refused before the first map is read. */
export async function openNpy(path: string, name = path): Promise<NpyStack> {
  const file = await open(path, "r").catch((cause: unknown) => {
    throw new UserError(`cannot open ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  try {
    const head = parseNpyHead(await piece(file, 0, npyHeadLength(await piece(file, 0, NPY_START), name)), name);
    const { shape, element, offset } = head;
    if (shape.length !== 2 && shape.length !== 3) {
      throw new UserError(`${name}: shape (${shape.join(", ")}), wanted (height, width) or (images, height, width)`, {
        hint: "numpy.squeeze axes of length 1; take the argmax over classes first",
      });
    }
    const [height, width] = shape.slice(-2) as [number, number];
    const count = shape.length === 3 ? shape[0]! : 1;
    const { size } = await file.stat();
    const wanted = offset + count * height * width * element.bytes;
    if (size !== wanted) {
      throw new UserError(`${name}: has ${size} bytes, its head promises ${wanted}`, {
        hint: "was it copied or saved only in part?",
      });
    }
    const bytes = height * width * element.bytes;
    return {
      head,
      count,
      height,
      width,
      read: async (index) => decodeNpy(await piece(file, offset + index * bytes, bytes), element),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** So many bytes from a place on; fewer where the file ends. */
async function piece(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** An array as NumPy's `.npy` file, version 1.0: little-endian float32, row by row. */
export function npyBytes(shape: readonly number[], values: Float32Array): Uint8Array {
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
  const start = 10; // magic, version and the length of the header
  const length = Math.ceil((start + head.length + 1) / 64) * 64 - start;
  const bytes = Buffer.alloc(start + length + 4 * values.length, " ");
  bytes.write("\x93NUMPY\x01\x00", 0, "latin1");
  bytes.writeUInt16LE(length, 8);
  bytes.write(head, start, "latin1");
  bytes.write("\n", start + length - 1, "latin1");
  for (let i = 0; i < values.length; i++) bytes.writeFloatLE(values[i]!, start + length + 4 * i);
  return bytes;
}
