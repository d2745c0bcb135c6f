/** A message definition as logs of ROS 2 hold it: its own fields, then the definitions it uses. */
export interface Definition {
  readonly name: string;
  readonly text: string;
}

const separator = "=".repeat(80);
const header = `${separator}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
${separator}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

export const imageDefinition: Definition = {
  name: "sensor_msgs/msg/Image",
  text: `std_msgs/Header header
uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
${header}`,
};

export const compressedDefinition: Definition = {
  name: "sensor_msgs/msg/CompressedImage",
  text: `std_msgs/Header header
string format
uint8[] data
${header}`,
};

export const numberDefinition: Definition = { name: "std_msgs/msg/Float64", text: "float64 data\n" };
export const flagDefinition: Definition = { name: "std_msgs/msg/Bool", text: "bool data\n" };

/** When an image was taken (nanoseconds), and in which frame of coordinates. */
export interface Stamp {
  readonly stamp: bigint;
  readonly frameId: string;
}

/** CDR, little-endian: numbers stand at multiples of their size, counted behind the first four bytes. */
class CdrWriter {
  readonly #parts: Uint8Array[] = [];
  #at = 0;

  #add(bytes: Uint8Array, alignment = 1): this {
    const gap = -this.#at & (alignment - 1);
    this.#parts.push(new Uint8Array(gap), bytes);
    this.#at += gap + bytes.length;
    return this;
  }

  u8(value: number): this {
    return this.#add(Uint8Array.of(value));
  }

  u32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.#add(bytes, 4);
  }

  f64(value: number): this {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return this.#add(bytes, 8);
  }

  bytes(value: Uint8Array): this {
    return this.u32(value.length).#add(value);
  }

  string(value: string): this {
    return this.bytes(Buffer.from(`${value}\0`));
  }

  header({ stamp, frameId }: Stamp): this {
    // Seconds have 32 bits in ROS, whatever another format said.
    return this.u32(Number(BigInt.asUintN(32, stamp / 1_000_000_000n)))
      .u32(Number(BigInt.asUintN(32, stamp % 1_000_000_000n)))
      .string(frameId);
  }

  finish(): Uint8Array {
    return Buffer.concat([Uint8Array.of(0, 1, 0, 0), ...this.#parts]);
  }
}

/** An image whose rows follow each other without gaps. */
export function writeImage(
  at: Stamp,
  image: {
    readonly width: number;
    readonly height: number;
    readonly encoding: "mono8" | "16UC1";
    readonly data: Uint8Array;
  },
): Uint8Array {
  const { width, height, encoding, data } = image;
  return new CdrWriter()
    .header(at)
    .u32(height)
    .u32(width)
    .string(encoding)
    .u8(0)
    .u32(data.length / height)
    .bytes(data)
    .finish();
}

export const writeCompressed = (at: Stamp, format: "png" | "jpeg", data: Uint8Array): Uint8Array =>
  new CdrWriter().header(at).string(format).bytes(data).finish();

export const writeNumber = (value: number): Uint8Array => new CdrWriter().f64(value).finish();
export const writeFlag = (value: boolean): Uint8Array => new CdrWriter().u8(value ? 1 : 0).finish();
