import { deflateSync } from "node:zlib";

export interface MadePng {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  readonly type: 0 | 2 | 3 | 4 | 6;
  /** One number a channel, pixel by pixel. */
  readonly values: ArrayLike<number>;
  readonly palette?: readonly (readonly [number, number, number])[];
  /** Alpha of the first palette entries. */
  readonly transparency?: readonly number[];
  readonly interlaced?: boolean;
  /** Filter of each line, going round; none by default. */
  readonly filters?: readonly number[];
}

const ADAM7: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** A PNG of any depth, colour type and interlacing, written the slow obvious way, for tests. */
export function makePng(png: MadePng): Buffer {
  const { width, height, depth, type, palette, transparency, interlaced = false } = png;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette.flat()))]),
    ...(transparency === undefined ? [] : [chunk("tRNS", Buffer.from(transparency))]),
    chunk("IDAT", deflateSync(Buffer.from(lines(png)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG with its length and checksum. */
export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

function lines({ width, height, depth, type, values, interlaced, filters = [0] }: MadePng): number[] {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type];
  const bytes: number[] = [];
  let line = 0;
  for (const [x0, y0, dx, dy] of interlaced ? ADAM7 : [[0, 0, 1, 1] as const]) {
    let above: number[] | undefined;
    for (let y = y0; y < height && x0 < width; y += dy) {
      let bits = "";
      for (let x = x0; x < width; x += dx) {
        for (let c = 0; c < channels; c++) {
          bits += values[(y * width + x) * channels + c]!.toString(2).padStart(depth, "0");
        }
      }
      const packed = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
      const filter = filters[line++ % filters.length]!;
      bytes.push(filter, ...filtered(packed, above, filter, Math.max(1, (depth * channels) / 8)));
      above = packed;
    }
  }
  return bytes;
}

function filtered(line: number[], above: number[] | undefined, filter: number, step: number): number[] {
  return line.map((byte, i) => {
    const a = line[i - step] ?? 0;
    const b = above?.[i] ?? 0;
    const c = i < step ? 0 : (above?.[i - step] ?? 0);
    const p = a + b - c;
    const nearest = [a, b, c].reduce((best, x) => (Math.abs(p - x) < Math.abs(p - best) ? x : best));
    return (byte - [0, a, b, (a + b) >> 1, nearest][filter]!) & 255;
  });
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
