import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { z } from "zod";
import { parseJson } from "../../platform/json.js";
import type { ImageMessage } from "./imageMessage.js";

/** Names of the fields of Foxglove's image messages by their number in the official .proto files. */
export const foxgloveImages: Readonly<Record<string, Readonly<Record<number, Field>>>> = {
  "foxglove.CompressedImage": { 1: "timestamp", 2: "data", 3: "format", 4: "frame_id" },
  "foxglove.RawImage": { 1: "timestamp", 2: "width", 3: "height", 4: "encoding", 5: "step", 6: "data", 7: "frame_id" },
};

type Field = "timestamp" | "frame_id" | "data" | "format" | "width" | "height" | "encoding" | "step";

interface Fields {
  timestamp?: bigint;
  frame_id: string;
  data: Uint8Array;
  format: string;
  width: number;
  height: number;
  encoding: string;
  step: number;
}

/** Fields that are left out have these values. */
const defaults: Fields = {
  frame_id: "",
  data: new Uint8Array(),
  format: "",
  width: 0,
  height: 0,
  encoding: "",
  step: 0,
};

/** Read an image message of Foxglove's that was written as protobuf. Throws where a field does not fit. */
export function readProtobufImage(name: string, data: Uint8Array): ImageMessage {
  const numbers = foxgloveImages[name]!;
  const reader = new BinaryReader(data);
  const fields = { ...defaults };
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const field = numbers[number];
    if (field === undefined) reader.skip(wire, number);
    else if (wire !== wires[field]) throw new RangeError(`its field ${number} is not a ${field}`);
    else if (field === "timestamp") fields.timestamp = timestamp(reader.bytes());
    else if (field === "data") fields.data = reader.bytes();
    else if (field === "width" || field === "height" || field === "step") fields[field] = reader.fixed32();
    else fields[field] = reader.string();
  }
  return imageOf(name, fields);
}

const wires: Record<Field, WireType> = {
  timestamp: WireType.LengthDelimited,
  frame_id: WireType.LengthDelimited,
  data: WireType.LengthDelimited,
  format: WireType.LengthDelimited,
  encoding: WireType.LengthDelimited,
  width: WireType.Bit32,
  height: WireType.Bit32,
  step: WireType.Bit32,
};

/** google.protobuf.Timestamp */
function timestamp(data: Uint8Array): bigint {
  const reader = new BinaryReader(data);
  let [seconds, nanos] = [0n, 0n];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === WireType.Varint) seconds = BigInt(reader.int64());
    else if (number === 2 && wire === WireType.Varint) nanos = BigInt(reader.int32());
    else reader.skip(wire, number);
  }
  return seconds * 1_000_000_000n + nanos;
}

const whole = z.int().min(0).max(0xffff_ffff);
const jsonImage = z.object({
  timestamp: z.object({ sec: z.int(), nsec: whole }).optional(),
  frame_id: z.string().default(""),
  data: z.base64(),
  format: z.string().default(""),
  width: whole.default(0),
  height: whole.default(0),
  encoding: z.string().default(""),
  step: whole.default(0),
});

/** The same written as JSON; bytes are base64. */
export function readJsonImage(name: string, data: Uint8Array): ImageMessage {
  const {
    timestamp,
    data: base64,
    ...fields
  } = parseJson(new TextDecoder().decode(data), "it", {
    schema: jsonImage,
    hint: "",
  });
  return imageOf(name, {
    ...fields,
    data: Buffer.from(base64, "base64"),
    ...(timestamp && { timestamp: BigInt(timestamp.sec) * 1_000_000_000n + BigInt(timestamp.nsec) }),
  });
}

function imageOf(name: string, { timestamp, frame_id, data, format, ...raw }: Fields): ImageMessage {
  return {
    stamp: timestamp ?? null,
    frameId: frame_id,
    pixels:
      name === "foxglove.CompressedImage"
        ? { kind: "compressed", format, data }
        : { kind: "raw", ...raw, data, bigEndian: false },
  };
}
