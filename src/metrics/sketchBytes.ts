import { UserError } from "../platform/errors.js";
import { compact, pixelsOf, type Sketch } from "./sketch.js";
import type { ImageSketch, SketchSet } from "./sketchSet.js";

/**
 * The `.sketch` file. Eight bytes "gsketch" and the version; then, as variable-length numbers (seven bits a byte, low
 * first): number of skipped images and their ids, number of images, the total, and for each image its id and sketch.
 *
 * A sketch is its number of intervals, first and last place; then for each interval a byte (its `bits`, plus 64 without
 * right and 128 without wrong pixels), how many widths it starts after the one before, and the counts that are not 0.
 */
const magic = "gsketch";
const version = 1;
const NO_RIGHT = 64;
const NO_WRONG = 128;

/** The bytes of a .sketch file. */
export function writeSketchSet({ total, images, skipped }: SketchSet): Uint8Array {
  const writer = new Writer();
  for (const letter of magic) writer.byte(letter.charCodeAt(0));
  writer.byte(version);
  writer.number(skipped.length);
  for (const id of skipped) writer.text(id);
  writer.number(images.length);
  writeSketch(writer, total);
  for (const { id, sketch } of images) {
    writer.text(id);
    writeSketch(writer, sketch);
  }
  return writer.bytes();
}

function writeSketch(writer: Writer, { low, bits, right, wrong, first, last }: Sketch): void {
  writer.number(low.length);
  writer.number(first);
  writer.number(last);
  let before = 0;
  for (let i = 0; i < low.length; i++) {
    writer.byte(bits[i]! + (right[i] === 0 ? NO_RIGHT : 0) + (wrong[i] === 0 ? NO_WRONG : 0));
    const width = 2 ** bits[i]!;
    writer.number(low[i]! / width - Math.floor(before / width));
    if (right[i] !== 0) writer.number(right[i]!);
    if (wrong[i] !== 0) writer.number(wrong[i]!);
    before = low[i]!;
  }
}

/** Read what `writeSketchSet` wrote. `name` (the file) appears in errors; anything that does not add up is refused. */
export function readSketchSet(bytes: Uint8Array, name: string): SketchSet {
  const reader = new Reader(bytes, name);
  for (const letter of magic) if (reader.byte() !== letter.charCodeAt(0)) throw reader.refuse("is not a sketch file");
  const found = reader.byte();
  if (found !== version) throw reader.refuse(`has version ${found}, this program reads version ${version}`);
  const skipped = Array.from({ length: reader.count() }, () => reader.text());
  const length = reader.count();
  const total = readSketch(reader);
  const images = Array.from(
    { length },
    (): ImageSketch => ({ id: reader.text(), sketch: compact(readSketch(reader)) }),
  );
  reader.end();
  const ids = [...skipped, ...images.map((image) => image.id)];
  if (new Set(ids).size !== ids.length) throw reader.refuse("names an image twice");
  for (const kind of ["rights", "wrongs"] as const) {
    const sum = images.reduce((so, { sketch }) => so + sketch[kind], 0);
    if (sum !== total[kind]) throw reader.refuse(`has ${total[kind]} ${kind} in total, but ${sum} in its images`);
  }
  return { total, images, skipped };
}

function readSketch(reader: Reader): Sketch {
  const n = reader.count();
  const first = reader.number();
  const last = reader.number();
  const low = new Uint32Array(n);
  const bits = new Uint8Array(n);
  const right = new Float64Array(n);
  const wrong = new Float64Array(n);
  let rights = 0;
  let wrongs = 0;
  for (let i = 0; i < n; i++) {
    const head = reader.byte();
    const width = 2 ** (head & 63);
    const place = (Math.floor((i === 0 ? 0 : low[i - 1]!) / width) + reader.number()) * width;
    low[i] = place;
    bits[i] = head & 63;
    right[i] = head & NO_RIGHT ? 0 : reader.number();
    wrong[i] = head & NO_WRONG ? 0 : reader.number();
    rights += right[i]!;
    wrongs += wrong[i]!;
    const sorted = i === 0 || place > low[i - 1]! || (place === low[i - 1] && bits[i]! < bits[i - 1]!);
    if (!sorted || place + width > 2 ** 32) throw reader.refuse("has intervals out of order");
    if (right[i] === 0 && wrong[i] === 0) throw reader.refuse("has an empty interval");
  }
  const sketch = { low, bits, right, wrong, rights, wrongs, first, last };
  if (!Number.isSafeInteger(pixelsOf(sketch))) throw reader.refuse("counts more pixels than a number can hold");
  const ordered = n === 0 || (first <= last && last < 2 ** 32 && first >= low[0]!);
  if (!ordered) throw reader.refuse("has a smallest uncertainty outside its intervals");
  return sketch;
}

class Writer {
  #bytes = new Uint8Array(1024);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length++] = value;
  }

  number(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.number(encoded.length);
    for (const byte of encoded) this.byte(byte);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #name: string;
  #at = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#name = name;
  }

  refuse(what: string): UserError {
    return new UserError(`${this.#name}: ${what} (at byte ${this.#at} of ${this.#bytes.length})`, {
      hint: "evaluate again to write it anew",
    });
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw this.refuse("ends too early");
    this.#at++;
    return value;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (!Number.isSafeInteger(value)) throw this.refuse("has a number that is too large");
      if (byte < 128) return value;
    }
  }

  /** How many things follow, each of at least one byte: never more than there are bytes left. */
  count(): number {
    const value = this.number();
    if (value > this.#bytes.length - this.#at) throw this.refuse("ends too early");
    return value;
  }

  text(): string {
    const length = this.count();
    const encoded = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(encoded);
    } catch {
      throw this.refuse("has an image name that is not text");
    }
  }

  end(): void {
    if (this.#at < this.#bytes.length) throw this.refuse("has more bytes than it should");
  }
}
