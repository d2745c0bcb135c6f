/** Reads the fields of a serialised message one after the other. Every length is checked against what is there. */
export interface Cursor {
  u8(): number;
  u32(): number;
  string(): string;
  bytes(): Uint8Array;
  /** Nanoseconds. */
  time(): bigint;
  /** Time and frame of a std_msgs/Header. */
  header(): { readonly stamp: bigint; readonly frameId: string };
}

class Fields {
  protected at = 0;
  protected readonly data: Uint8Array;
  protected readonly view: DataView;
  protected readonly little: boolean;

  constructor(data: Uint8Array, little: boolean) {
    this.data = data;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.little = little;
  }

  protected take(length: number): number {
    const start = this.at;
    if (length > this.data.length - start) {
      throw new RangeError(`a field of ${length} bytes begins at byte ${start} of ${this.data.length}`);
    }
    this.at += length;
    return start;
  }

  u8(): number {
    return this.data[this.take(1)]!;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), this.little);
  }

  bytes(): Uint8Array {
    const length = this.u32();
    const start = this.take(length);
    return this.data.subarray(start, start + length);
  }

  string(): string {
    return new TextDecoder().decode(this.bytes());
  }

  time(): bigint {
    const seconds = this.u32();
    return BigInt(seconds) * 1_000_000_000n + BigInt(this.u32());
  }
}

/** ROS 1: little-endian, without gaps; a header begins with a sequence number. */
export class Ros1Cursor extends Fields implements Cursor {
  constructor(data: Uint8Array) {
    super(data, true);
  }

  header(): { stamp: bigint; frameId: string } {
    this.u32();
    return { stamp: this.time(), frameId: this.string() };
  }
}

/** Kinds of encapsulation that ROS 2 writes: CDR, big- and little-endian. Two bytes of options follow. */
const CDR = new Map([
  [0, { little: false }],
  [1, { little: true }],
]);
const ENCAPSULATION = 4;

/** ROS 2 (CDR): numbers stand at multiples of their size, counted behind the encapsulation; strings end in a zero byte. */
export class CdrCursor extends Fields implements Cursor {
  constructor(data: Uint8Array) {
    const kind = data.length < ENCAPSULATION ? undefined : CDR.get(256 * data[0]! + data[1]!);
    if (kind === undefined) {
      throw new RangeError("it does not begin as a CDR message does (00 00 or 00 01)");
    }
    super(data.subarray(ENCAPSULATION), kind.little);
  }

  override u32(): number {
    this.take(-this.at & 3);
    return super.u32();
  }

  override string(): string {
    return super.string().replace(/\0$/, "");
  }

  header(): { stamp: bigint; frameId: string } {
    return { stamp: this.time(), frameId: this.string() };
  }
}
