import { ascii, damaged, type PngHeader, readPngHeader } from "./pngHeader.js";

/** Zlib's inflate, passed in: at most `most` bytes come out, or it throws. */
export type Inflate = (bytes: Uint8Array, most: number) => Uint8Array;

/** A PNG as it was written: no scaling of small depths, no palette looked up, no alpha mixed in. */
export interface RawPng extends PngHeader {
  readonly channels: number;
  /** One value a channel, pixel by pixel; palette indices for palettes. Uint16Array for 16 bits. */
  readonly values: Uint8Array | Uint16Array;
  /** Red, green, blue of each index; empty without a palette. */
  readonly palette: Uint8Array;
}

/** Compressed pixels, with how many bytes they must inflate to. */
export interface PackedPng {
  readonly header: PngHeader;
  readonly idat: Uint8Array;
  readonly palette: Uint8Array;
  readonly inflatedBytes: number;
}

const channelsOf = { grey: 1, rgb: 3, palette: 1, "grey-alpha": 2, rgba: 4 } as const;

/** First column and row, and steps, of the seven passes of an interlaced image. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Columns, rows and where they go, for each pass; one pass when there is no interlacing. */
function passesOf({ width, height, interlaced }: PngHeader) {
  if (!interlaced) return [{ columns: width, rows: height, x: 0, y: 0, dx: 1, dy: 1 }];
  return ADAM7.map(([x, y, dx, dy]) => ({
    columns: Math.ceil((width - x) / dx),
    rows: Math.ceil((height - y) / dy),
    x,
    y,
    dx,
    dy,
  })).filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/**
 * Decode a label PNG exactly. Every bit depth, palettes, interlacing; every CRC is checked; the pixels must inflate to exactly
 * as many bytes as the header announces, so that neither a torn file nor a bomb gets through.
 *
 * Decoders made for looking at images scale, convert or guess here, each in its own way (docs/data.md).
 */
export function decodePng(bytes: Uint8Array, file: string, inflate: Inflate): RawPng {
  const packed = unpackPng(bytes, file);
  let lines: Uint8Array;
  try {
    lines = inflate(packed.idat, packed.inflatedBytes);
  } catch (cause) {
    throw damaged(file, "its pixels do not inflate", cause);
  }
  return unfilterPng(packed, lines, file);
}

/** Walk the chunks: header, palette, and the compressed pixels in one piece. */
export function unpackPng(bytes: Uint8Array, file: string): PackedPng {
  const header = readPngHeader(bytes, file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let palette = new Uint8Array(0);
  let offset = 8;
  for (let name = ""; name !== "IEND"; ) {
    if (offset + 12 > bytes.length) throw damaged(file, "it is cut off");
    const length = view.getUint32(offset);
    name = ascii(bytes, offset + 4);
    const end = offset + 8 + length;
    if (end + 4 > bytes.length) throw damaged(file, `it is cut off in chunk ${JSON.stringify(name)}`);
    if (crc32(bytes, offset + 4, end) !== view.getUint32(end)) {
      throw damaged(file, `the checksum of chunk ${JSON.stringify(name)} is wrong`);
    }
    if (name === "IDAT") parts.push(bytes.subarray(offset + 8, end));
    else if (name === "PLTE") palette = Uint8Array.from(bytes.subarray(offset + 8, end));
    offset = end + 4;
  }
  if (parts.length === 0) throw damaged(file, "it has no pixels");
  if (header.colour === "palette" && (palette.length === 0 || palette.length % 3 !== 0)) {
    throw damaged(file, "it has no palette");
  }
  const bits = header.depth * channelsOf[header.colour];
  let inflatedBytes = 0;
  for (const { columns, rows } of passesOf(header)) inflatedBytes += rows * (1 + Math.ceil((columns * bits) / 8));
  return { header, idat: joined(parts), palette, inflatedBytes };
}

/** From inflated lines to values. `lines` is overwritten. */
export function unfilterPng({ header, palette, inflatedBytes }: PackedPng, lines: Uint8Array, file: string): RawPng {
  if (lines.length !== inflatedBytes) {
    throw damaged(file, `its pixels inflate to ${lines.length} bytes, wanted ${inflatedBytes}`);
  }
  const { width, height, depth, colour } = header;
  const channels = channelsOf[colour];
  const values = depth === 16 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
  const step = Math.max(1, (depth * channels) >> 3);
  let start = 0;
  for (const { columns, rows, x, y, dx, dy } of passesOf(header)) {
    const lineBytes = Math.ceil((columns * depth * channels) / 8);
    for (let row = 0; row < rows; row++, start += lineBytes + 1) {
      const above = row === 0 ? -1 : start - lineBytes;
      if (!unfilterLine(lines, { start: start + 1, length: lineBytes, above, step })) {
        throw damaged(file, `line ${y + row * dy} has filter ${lines[start]}`);
      }
      const to = ((y + row * dy) * width + x) * channels;
      spread(lines, { start: start + 1, columns, channels, depth }, values, to, dx);
    }
  }
  return { ...header, channels, values, palette };
}

/** Undo the filter of one line in place; false if there is no such filter. `above` is -1 in the first line of a pass. */
function unfilterLine(
  lines: Uint8Array,
  { start, length, above, step }: { start: number; length: number; above: number; step: number },
): boolean {
  const end = start + length;
  const first = Math.min(start + step, end);
  // What lies outside the image counts as 0, which turns some filters of the first line into simpler ones.
  const filter = above >= 0 ? lines[start - 1]! : ([0, 1, 0, 3, 1][lines[start - 1]!] ?? 5);
  if (filter === 0) return true;
  if (filter === 1) {
    for (let i = first; i < end; i++) lines[i]! += lines[i - step]!;
    return true;
  }
  const up = above - start;
  if (filter === 2) {
    for (let i = start; i < end; i++) lines[i]! += lines[i + up]!;
    return true;
  }
  if (filter === 3) {
    if (above < 0) {
      for (let i = first; i < end; i++) lines[i]! += lines[i - step]! >> 1;
      return true;
    }
    for (let i = start; i < first; i++) lines[i]! += lines[i + up]! >> 1;
    for (let i = first; i < end; i++) lines[i]! += (lines[i - step]! + lines[i + up]!) >> 1;
    return true;
  }
  if (filter !== 4) return false;
  for (let i = start; i < first; i++) lines[i]! += lines[i + up]!;
  for (let i = first; i < end; i++) {
    const a = lines[i - step]!;
    const b = lines[i + up]!;
    const c = lines[i + up - step]!;
    const toA = Math.abs(b - c);
    const toB = Math.abs(a - c);
    const toC = Math.abs(a + b - 2 * c);
    lines[i]! += toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
  }
  return true;
}

/** Copy one line into the image, unpacking small depths; `dx` pixels apart. */
function spread(
  lines: Uint8Array,
  { start, columns, channels, depth }: { start: number; columns: number; channels: number; depth: number },
  values: Uint8Array | Uint16Array,
  to: number,
  dx: number,
): void {
  if (depth === 8 && dx === 1) {
    values.set(lines.subarray(start, start + columns * channels), to);
    return;
  }
  const most = (1 << depth) - 1;
  for (let i = 0; i < columns * channels; i++) {
    const bit = i * depth;
    const at = start + (bit >> 3);
    const value = depth === 16 ? (lines[at]! << 8) | lines[at + 1]! : (lines[at]! >> (8 - depth - (bit & 7))) & most;
    values[to + Math.floor(i / channels) * dx * channels + (i % channels)] = value;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let i = start; i < end; i++) crc = crcTable[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
