import { readdir, readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { decode } from "fast-png";
import { nameOf } from "../../data/datasets/files.js";
import { MOST_PIXELS } from "../../data/images/imageLimits.js";
import { UserError } from "../../platform/errors.js";
import { openNpy } from "./npyFile.js";

/** Numbers over an image, row by row. */
export interface NumberMap {
  readonly height: number;
  readonly width: number;
  readonly values: ArrayLike<number>;
  /** True for float types, which a class id never is. */
  readonly fractional: boolean;
  /** Bits of a PNG; null from an array. */
  readonly depth: number | null;
}

/** Somebody's maps on disk, one for each image. `named` when the images have names to match by, not just an order. */
export interface Maps {
  readonly path: string;
  readonly named: boolean;
  readonly ids: readonly string[];
  read(id: string): Promise<NumberMap>;
  close(): Promise<void>;
}

/** One `.npy` array [N, H, W] or [H, W], one `.png`, or a folder (with folders in it) of `.png` and `.npy` files. */
export async function openMaps(path: string, role: string): Promise<Maps> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw new UserError(`--${role}: there is nothing at ${path}`, { cause });
  });
  if (kind.isDirectory()) return openFolder(path, role);
  if (isPng(path)) {
    return { path, named: false, ids: ["0"], read: () => readPng(path), close: async () => {} };
  }
  const stack = await openNpy(path);
  return {
    path,
    named: false,
    ids: Array.from({ length: stack.count }, (_, index) => String(index)),
    read: async (id) => ({
      height: stack.height,
      width: stack.width,
      values: await stack.read(Number(id)),
      fractional: stack.head.element.kind === "f",
      depth: null,
    }),
    close: () => stack.close(),
  };
}

async function openFolder(path: string, role: string): Promise<Maps> {
  const files = new Map<string, string>();
  const names = (await readdir(path, { recursive: true })).map((name) => name.replaceAll("\\", "/")).sort();
  for (const name of names.filter((file) => isPng(file) || extname(file).toLowerCase() === ".npy")) {
    const id = nameOf(name.slice(0, -4));
    const other = files.get(id);
    if (other !== undefined) {
      throw new UserError(`--${role}: ${path} has both ${other} and ${name}`, { hint: "keep one of them" });
    }
    files.set(id, name);
  }
  if (files.size === 0) throw new UserError(`--${role}: no .png or .npy file in ${path}`);
  return {
    path,
    named: true,
    ids: [...files.keys()],
    async read(id) {
      const file = join(path, files.get(id)!);
      return isPng(file) ? readPng(file) : readSingle(file);
    },
    close: async () => {},
  };
}

const isPng = (path: string): boolean => extname(path).toLowerCase() === ".png";

async function readSingle(file: string): Promise<NumberMap> {
  const stack = await openNpy(file);
  try {
    const { count, height, width, head } = stack;
    if (count !== 1) throw new UserError(`${file}: ${count} maps in a file of a folder, wanted one`);
    return { height, width, values: await stack.read(0), fractional: head.element.kind === "f", depth: null };
  } finally {
    await stack.close();
  }
}

/** Grey or palette PNG of 8 or 16 bits; of a palette, the index is the value. */
async function readPng(file: string): Promise<NumberMap> {
  const bytes = await readFile(file);
  requireSaneSize(bytes, file);
  let decoded: ReturnType<typeof decode>;
  try {
    decoded = decode(bytes, { checkCrc: true });
  } catch (cause) {
    throw new UserError(`${file}: cannot be read as PNG (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    });
  }
  const { height, width, data, channels, depth } = decoded;
  if (channels !== 1 || (depth !== 8 && depth !== 16)) {
    throw new UserError(`${basename(file)}: ${channels} channels of ${depth} bits, wanted 1 channel of 8 or 16 bits`, {
      hint: "save one number a pixel, not colours",
    });
  }
  return { height, width, values: data, fractional: false, depth };
}

/** Width and height stand at fixed places in the head; look before inflating. */
function requireSaneSize(bytes: Uint8Array, file: string): void {
  if (bytes.length < 33) throw new UserError(`${file}: ${bytes.length} bytes are no PNG`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width * height > MOST_PIXELS) {
    throw new UserError(`${file}: claims ${width} x ${height} pixels, more than ${MOST_PIXELS}`);
  }
}
