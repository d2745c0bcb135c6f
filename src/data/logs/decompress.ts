import type { McapTypes } from "@mcap/core";
import { UserError } from "../../platform/errors.js";
import { decompressLz4 } from "./lz4.js";

/** Larger than the chunks of any recorder, which hold some megabytes. */
const MOST_BYTES = 2 ** 29;

type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

/** Chunks compressed by zstd and lz4, the two that the format names. */
export async function decompressHandlers(file: string): Promise<McapTypes.DecompressHandlers> {
  const { default: zstd } = await import("@foxglove/wasm-zstd");
  await zstd.isLoaded;
  return { zstd: bounded(file, "zstd", zstd.decompress), lz4: bounded(file, "lz4", decompressLz4) };
}

const bounded =
  (file: string, name: string, decompress: Decompress) =>
  (bytes: Uint8Array, said: bigint): Uint8Array => {
    if (said > BigInt(MOST_BYTES)) {
      throw new UserError(
        `${file}: a chunk says it has ${said} bytes once decompressed; at most ${MOST_BYTES} are read`,
        {
          hint: 'if it really does, write smaller chunks: "mcap compress --chunk-size 4194304"',
        },
      );
    }
    const size = Number(said);
    let found: Uint8Array;
    try {
      found = decompress(bytes, size);
    } catch (cause) {
      const why = cause instanceof RangeError ? `: ${cause.message}` : "";
      throw new Error(`a chunk does not decompress as ${name}${why}`, { cause });
    }
    if (found.length !== size) throw new Error(`a chunk has ${found.length} bytes, not the ${size} it says`);
    return found;
  };
