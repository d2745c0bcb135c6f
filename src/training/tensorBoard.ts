import { type FileHandle, mkdir, open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * Scalars as a TensorBoard event file.
 *
 * One file for each start of the process, in a folder of its own: TensorBoard shows only the newest file of a folder and
 * would hide what an earlier process wrote. The format is TFRecord around protobuf messages of two fields
 * (tensorflow/core/util/event.proto, framework/summary.proto).
 */
export class TensorBoard {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** `folder/<start step>-<time>/events.out.tfevents.<time>.<host>` */
  static async open(folder: string, startStep: number, now = Date.now()): Promise<TensorBoard> {
    const place = join(folder, `from-step-${startStep}-${new Date(now).toISOString().replace(/[:.]/g, "-")}`);
    await mkdir(place, { recursive: true });
    const file = await open(join(place, `events.out.tfevents.${Math.floor(now / 1000)}.${hostname()}`), "w");
    await file.write(record(versionEvent(now / 1000)));
    return new TensorBoard(file);
  }

  async write(step: number, scalars: Readonly<Record<string, number>>, now = Date.now()): Promise<void> {
    await this.#file.write(record(scalarEvent(now / 1000, step, scalars)));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function versionEvent(seconds: number): Uint8Array {
  return new BinaryWriter()
    .tag(1, WireType.Bit64)
    .double(seconds)
    .tag(3, WireType.LengthDelimited)
    .string("brain.Event:2")
    .finish();
}

export function scalarEvent(seconds: number, step: number, scalars: Readonly<Record<string, number>>): Uint8Array {
  const event = new BinaryWriter().tag(1, WireType.Bit64).double(seconds).tag(2, WireType.Varint).int64(step);
  const summary = event.tag(5, WireType.LengthDelimited).fork();
  for (const [tag, value] of Object.entries(scalars)) {
    summary
      .tag(1, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.LengthDelimited)
      .string(tag)
      .tag(2, WireType.Bit32)
      .float(value)
      .join();
  }
  return summary.join().finish();
}

/** Length, its checksum, the bytes, their checksum. */
export function record(bytes: Uint8Array): Uint8Array {
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
