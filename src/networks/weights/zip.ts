import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { UserError } from "../../platform/errors.js";
import { quoted, type Refuse } from "./refusal.js";

/**
 * A zip archive in memory, opened without trusting it.
 *
 * Every size is checked against the file before anything is allocated: so many entries, each at most so many times larger than
 * its packed bytes, and unpacked parts that together cannot be larger than what the file could hold. Checksums are not looked
 * at: PyTorch does not look either, and may be told not to write them.
 */
const MAX_ENTRIES = 5_000;
const MAX_RATIO = 100;
const MAX_BYTES = 2 ** 32;
const STORED = 0;
const DEFLATED = 8;

export interface Archive {
  /** Names of the parts, in the archive's order. */
  readonly names: readonly string[];
  /** Bytes of all parts, unpacked. */
  readonly unpackedBytes: number;
  /**
   * The bytes of one part, or undefined where there is none of that name. A part of more than `most` bytes is refused before it is unpacked.
   * Stored parts are views of the file, not copies.
   */
  read(name: string, most?: number): Promise<Uint8Array | undefined>;
}

/** `ratio`: parts may be so many times larger than their packed bytes. */
export async function openArchive(
  bytes: Uint8Array,
  refuse: Refuse,
  { ratio = MAX_RATIO }: { readonly ratio?: number } = {},
): Promise<Archive> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await orRefuse(refuse, () => fromBufferPromise(file, { strictFileNames: true }));
  if (zip.entryCount > MAX_ENTRIES) refuse(`has ${zip.entryCount} parts, at most ${MAX_ENTRIES} are read`);
  const entries = new Map<string, Entry>();
  let [stored, unpackedBytes] = [0, 0];
  await orRefuse(refuse, async () => {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) refuse(`has two parts called ${quoted(entry.fileName)}`);
      checkEntry(entry, ratio, refuse);
      if (entry.compressionMethod === STORED) stored += entry.uncompressedSize;
      unpackedBytes += entry.uncompressedSize;
      entries.set(entry.fileName, entry);
    }
  });
  if (stored > file.length) refuse(`has parts of ${stored} bytes in a file of ${file.length}: they overlap`);
  if (unpackedBytes > Math.min(MAX_BYTES, file.length * ratio)) {
    refuse(`would unpack to ${unpackedBytes} bytes, the file has ${file.length}`);
  }
  return {
    names: [...entries.keys()],
    unpackedBytes,
    async read(name, most = MAX_BYTES) {
      const entry = entries.get(name);
      if (entry !== undefined && entry.uncompressedSize > most) {
        refuse(`its part ${quoted(name)} has ${entry.uncompressedSize} bytes, at most ${most} are read`);
      }
      return entry && orRefuse(refuse, () => unpack(zip, entry, file));
    },
  };
}

function checkEntry(entry: Entry, ratio: number, refuse: Refuse): void {
  const { fileName, compressionMethod: method, compressedSize, uncompressedSize } = entry;
  const name = quoted(fileName);
  if (entry.isEncrypted()) refuse(`its part ${name} is encrypted`);
  if (method !== STORED && method !== DEFLATED) refuse(`its part ${name} is packed by method ${method}, known: 0, 8`);
  if (uncompressedSize > ratio * Math.max(compressedSize, 1)) {
    refuse(`its part ${name} would unpack from ${compressedSize} to ${uncompressedSize} bytes`);
  }
}

async function unpack(zip: ZipFile, entry: Entry, file: Uint8Array): Promise<Uint8Array> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  if (entry.compressionMethod === STORED) return file.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  const chunks: Uint8Array[] = [];
  // The stream ends with an error as soon as it is longer than the entry said, or if it ends before.
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

/** What the zip reader throws, in our own words. */
async function orRefuse<T>(refuse: Refuse, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    return refuse(`is not a whole zip archive: ${quoted(error instanceof Error ? error.message : String(error))}`);
  }
}
