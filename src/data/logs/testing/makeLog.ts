import { parse } from "@foxglove/rosmsg";
import { MessageWriter as Ros1Writer } from "@foxglove/rosmsg-serialization";
import { MessageWriter as Ros2Writer } from "@foxglove/rosmsg2-serialization";
import { foxgloveMessageSchemas, generateProto, generateRosMsgMergedSchema } from "@foxglove/schemas/internal.js";
import { CompressedImage as compressedSchema, RawImage as rawSchema } from "@foxglove/schemas/jsonschema.js";
import { McapWriter, type McapWriterOptions, TempBuffer } from "@mcap/core";
import protobuf from "protobufjs";

/** A way of writing messages, by the official libraries: what the schema and channel say, and the bytes of a message. */
export interface Dialect {
  readonly schema: { readonly name: string; readonly encoding: string; readonly data: Uint8Array };
  readonly messageEncoding: string;
  write(message: unknown): Uint8Array;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const separator = `${"=".repeat(80)}\n`;
const ros1Header = `${separator}MSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n`;
const ros2Header = `${separator}MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n${separator}MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n`;

/** As the packages of ROS define them, comments included. */
const definitions = {
  Image:
    "# one image\n\nstd_msgs/Header header # acquisition time\n\nuint32 height\nuint32 width # columns\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data\n",
  CompressedImage: "std_msgs/Header header\nstring format # jpeg, png\nuint8[] data\n",
};

export function ros1(name: keyof typeof definitions): Dialect {
  const text = definitions[name] + ros1Header;
  const writer = new Ros1Writer(parse(text));
  return {
    schema: { name: `sensor_msgs/${name}`, encoding: "ros1msg", data: utf8(text) },
    messageEncoding: "ros1",
    write: (message) => writer.writeMessage(message),
  };
}

export function ros2(name: keyof typeof definitions): Dialect {
  const text = definitions[name] + ros2Header;
  const writer = new Ros2Writer(parse(text, { ros2: true }));
  return {
    schema: { name: `sensor_msgs/msg/${name}`, encoding: "ros2msg", data: utf8(text) },
    messageEncoding: "cdr",
    write: (message) => writer.writeMessage(message),
  };
}

export function foxgloveRos(name: "RawImage" | "CompressedImage", rosVersion: 1 | 2): Dialect {
  const text = generateRosMsgMergedSchema(foxgloveMessageSchemas[name], { rosVersion });
  const parsed = parse(text, { ros2: rosVersion === 2 });
  const writer = rosVersion === 1 ? new Ros1Writer(parsed) : new Ros2Writer(parsed);
  return {
    schema: {
      name: rosVersion === 1 ? `foxglove_msgs/${name}` : `foxglove_msgs/msg/${name}`,
      encoding: rosVersion === 1 ? "ros1msg" : "ros2msg",
      data: utf8(text),
    },
    messageEncoding: rosVersion === 1 ? "ros1" : "cdr",
    write: (message) => writer.writeMessage(message),
  };
}

export function foxgloveProtobuf(name: "RawImage" | "CompressedImage"): Dialect {
  const root = new protobuf.Root();
  const time = "syntax = 'proto3'; package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; }";
  protobuf.parse(time, root);
  protobuf.parse(generateProto(foxgloveMessageSchemas[name], []), root, { keepCase: true });
  const type = root.resolveAll().lookupType(`foxglove.${name}`);
  return {
    // The descriptor is not looked at: numbers and types of these fields are fixed.
    schema: { name: `foxglove.${name}`, encoding: "protobuf", data: new Uint8Array([1]) },
    messageEncoding: "protobuf",
    write: (message) => type.encode(type.fromObject(message as Record<string, unknown>)).finish(),
  };
}

export function foxgloveJson(name: "RawImage" | "CompressedImage"): Dialect {
  const schema = { RawImage: rawSchema, CompressedImage: compressedSchema }[name];
  return {
    schema: { name: `foxglove.${name}`, encoding: "jsonschema", data: utf8(JSON.stringify(schema)) },
    messageEncoding: "json",
    write: (message) => utf8(JSON.stringify(message)),
  };
}

export interface LogTopic {
  readonly topic: string;
  readonly dialect: Dialect;
  readonly messages: readonly { readonly logTime: bigint; readonly message: unknown }[];
}

/** A log of some topics, written by the official library, messages in order of log time. */
export async function makeLog(
  topics: readonly LogTopic[],
  options: Omit<McapWriterOptions, "writable"> = {},
): Promise<Uint8Array> {
  const buffer = new TempBuffer();
  const writer = new McapWriter({ writable: buffer, ...options });
  await writer.start({ profile: "", library: "test" });
  const written: { channelId: number; logTime: bigint; data: Uint8Array }[] = [];
  for (const { topic, dialect, messages } of topics) {
    const schemaId = await writer.registerSchema(dialect.schema);
    const { messageEncoding } = dialect;
    const channelId = await writer.registerChannel({ topic, schemaId, messageEncoding, metadata: new Map() });
    for (const { logTime, message } of messages) written.push({ channelId, logTime, data: dialect.write(message) });
  }
  written.sort((a, b) => Number(a.logTime - b.logTime));
  for (const [sequence, { channelId, logTime, data }] of written.entries()) {
    await writer.addMessage({ channelId, sequence, logTime, publishTime: logTime - 5n, data });
  }
  await writer.end();
  return buffer.get();
}

/** A frame of uncompressed blocks, which is lz4 too. */
export function lz4Frame(data: Uint8Array): Uint8Array {
  // Version 1, independent blocks of up to 4 MB, and the checksum of these two bytes.
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE((data.length | 0x8000_0000) >>> 0);
  return Buffer.concat([head, length, data, Buffer.alloc(4)]);
}
