import { CdrCursor, type Cursor, Ros1Cursor } from "./cursor.js";
import type { ImageMessage } from "./imageMessage.js";

/** How a message is laid out: its fields in order. */
type Field =
  | "header"
  | "timestamp"
  | "frame_id"
  | "height"
  | "width"
  | "encoding"
  | "is_bigendian"
  | "step"
  | "data"
  | "format";

/**
 * The image messages of ROS, whose fields have not changed since 2009, and those of foxglove_msgs. They are read by this table and not by
 * code made from the definitions in the log, as the usual libraries do: a log is not trusted.
 */
export const rosImages: Readonly<Record<string, readonly Field[]>> = {
  "sensor_msgs/Image": ["header", "height", "width", "encoding", "is_bigendian", "step", "data"],
  "sensor_msgs/CompressedImage": ["header", "format", "data"],
  "foxglove_msgs/RawImage": ["timestamp", "frame_id", "width", "height", "encoding", "step", "data"],
  "foxglove_msgs/CompressedImage": ["timestamp", "frame_id", "data", "format"],
};

/** "sensor_msgs/msg/Image" is how ROS 2 writes "sensor_msgs/Image". */
export const rosName = (name: string): string => name.replace(/^([^/]+)\/msg\//, "$1/");

/**
 * Whether a definition (ros1msg, ros2msg) has the fields we expect of its name. Definitions of the messages it uses follow below a line of
 * "=" and are those of ROS.
 */
export function hasUsualFields(name: string, definition: string): boolean {
  const own = definition.split(/^=+\s*$/m)[0]!;
  const names = own
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    // A line with "=" defines a constant.
    .filter((line) => line !== "" && !line.includes("="))
    .map((line) => line.split(/\s+/)[1] ?? "");
  return names.join(" ") === rosImages[rosName(name)]?.join(" ");
}

const cursors = {
  ros1: (data: Uint8Array): Cursor => new Ros1Cursor(data),
  cdr: (data: Uint8Array): Cursor => new CdrCursor(data),
};

/** Read an image message of ROS. Throws a RangeError where a field does not fit. */
export function readRosImage(name: string, encoding: keyof typeof cursors, data: Uint8Array): ImageMessage {
  const cursor = cursors[encoding](data);
  let [stamp, frameId] = [0n, ""];
  const numbers = { height: 0, width: 0, step: 0, is_bigendian: 0 };
  const texts = { encoding: "", format: "" };
  let pixels: Uint8Array = new Uint8Array();
  const read: Record<Field, () => void> = {
    header: () => ({ stamp, frameId } = cursor.header()),
    timestamp: () => (stamp = cursor.time()),
    frame_id: () => (frameId = cursor.string()),
    height: () => (numbers.height = cursor.u32()),
    width: () => (numbers.width = cursor.u32()),
    step: () => (numbers.step = cursor.u32()),
    is_bigendian: () => (numbers.is_bigendian = cursor.u8()),
    encoding: () => (texts.encoding = cursor.string()),
    format: () => (texts.format = cursor.string()),
    data: () => (pixels = cursor.bytes()),
  };
  const fields = rosImages[rosName(name)]!;
  for (const field of fields) read[field]();
  const { is_bigendian, ...size } = numbers;
  return {
    stamp,
    frameId,
    pixels: fields.includes("format")
      ? { kind: "compressed", format: texts.format, data: pixels }
      : { kind: "raw", ...size, encoding: texts.encoding, bigEndian: is_bigendian !== 0, data: pixels },
  };
}
