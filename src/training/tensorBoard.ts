import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { makeFolder } from "../platform/files.js";

/** An encoded image (JPEG or PNG) with its size. */
export interface BoardImage {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Scalars and images as TensorBoard event files.
 *
 * Each start of the process writes a file of its own into the same folder, so a training is one run in TensorBoard however often it was
 * restarted. The file begins with a session start at the first step to come: TensorBoard then drops what a killed process wrote beyond its
 * last checkpoint. The format is TFRecord around protobuf messages (tensorflow/core/util/event.proto, framework/summary.proto).
 */
export class TensorBoard {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** `folder/events.out.tfevents.<time>.<host>.<done>`: TensorBoard reads files in the order of their names. */
  static async open(folder: string, done: number, now = Date.now()): Promise<TensorBoard> {
    await makeFolder(folder);
    const file = await open(join(folder, `events.out.tfevents.${Math.floor(now / 1000)}.${hostname()}.${done}`), "a");
    await file.write(record(versionEvent(now / 1000)));
    await file.write(record(startEvent(now / 1000, done + 1)));
    return new TensorBoard(file);
  }

  /** What a step measured, by the names of the log. */
  async write(step: number, scalars: Readonly<Record<string, number>>, now = Date.now()): Promise<void> {
    const values = Object.entries(scalars).map(([name, value]) => scalarValue(boardTag(name), value));
    await this.#file.write(record(summaryEvent(now / 1000, step, values)));
  }

  async writeImages(step: number, images: Readonly<Record<string, BoardImage>>, now = Date.now()): Promise<void> {
    const values = Object.entries(images).map(([tag, image]) => imageValue(tag, image));
    await this.#file.write(record(summaryEvent(now / 1000, step, values)));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** What a step measures beside its losses, by the group that TensorBoard shows it in. */
const groups: Readonly<Record<string, string>> = {
  loss: "loss/total",
  gamma: "gamma/gamma",
  certain: "gamma/certain",
  consistent: "gamma/consistent",
  counted: "gamma/counted",
  gradientNorm: "optimiser/gradient norm",
  learningRate: "optimiser/learning rate",
};

/** The tag of a logged number: TensorBoard groups by what stands before the first slash. */
export const boardTag = (name: string): string => groups[name] ?? name.replaceAll(".", "/");

const eventAt = (seconds: number): BinaryWriter => new BinaryWriter().tag(1, WireType.Bit64).double(seconds);

const versionEvent = (seconds: number): Uint8Array =>
  eventAt(seconds).tag(3, WireType.LengthDelimited).string("brain.Event:2").finish();

/** SessionLog with status START (1). */
const startEvent = (seconds: number, step: number): Uint8Array =>
  eventAt(seconds)
    .tag(2, WireType.Varint)
    .int64(step)
    .tag(7, WireType.LengthDelimited)
    .bytes(new BinaryWriter().tag(1, WireType.Varint).int32(1).finish())
    .finish();

function summaryEvent(seconds: number, step: number, values: readonly Uint8Array[]): Uint8Array {
  const summary = new BinaryWriter();
  for (const value of values) summary.tag(1, WireType.LengthDelimited).bytes(value);
  const event = eventAt(seconds).tag(2, WireType.Varint).int64(step);
  return event.tag(5, WireType.LengthDelimited).bytes(summary.finish()).finish();
}

const tagged = (tag: string): BinaryWriter => new BinaryWriter().tag(1, WireType.LengthDelimited).string(tag);

const scalarValue = (tag: string, value: number): Uint8Array =>
  tagged(tag).tag(2, WireType.Bit32).float(value).finish();

function imageValue(tag: string, { width, height, bytes }: BoardImage): Uint8Array {
  const image = new BinaryWriter()
    .tag(1, WireType.Varint)
    .int32(height)
    .tag(2, WireType.Varint)
    .int32(width)
    .tag(3, WireType.Varint)
    .int32(3) // red, green, blue
    .tag(4, WireType.LengthDelimited)
    .bytes(bytes)
    .finish();
  return tagged(tag).tag(4, WireType.LengthDelimited).bytes(image).finish();
}

/** Length, its checksum, the bytes, their checksum. */
function record(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(8 + 4 + bytes.length + 4);
  const view = new DataView(framed.buffer);
  view.setBigUint64(0, BigInt(bytes.length), true);
  view.setUint32(8, masked(crc32c(framed.subarray(0, 8))), true);
  framed.set(bytes, 12);
  view.setUint32(12 + bytes.length, masked(crc32c(bytes)), true);
  return framed;
}

/** TensorFlow's guard against checksums of data that itself holds checksums. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** Castagnoli's cyclic redundancy check. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
