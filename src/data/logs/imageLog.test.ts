import { join } from "node:path";
import { expect, test } from "vitest";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { ImageLog } from "./imageLog.js";
import type { ImageMessage } from "./imageMessage.js";
import {
  type Dialect,
  foxgloveJson,
  foxgloveProtobuf,
  foxgloveRos,
  type LogTopic,
  lz4Frame,
  makeLog,
  ros1,
  ros2,
} from "./testing/makeLog.js";

const START = 1_700_000_000_250_000_000n;
const stamp = { sec: 1_700_000_000, nsec: 249_000_001 };
const STAMP = 1_700_000_000_249_000_001n;
const pixels = Uint8Array.from({ length: 2 * 8 }, (_, i) => 10 * i);
const size = { width: 2, height: 2, step: 8, encoding: "rgb8" };

/** Every message of a topic, decoded. */
async function imagesOf(topics: readonly LogTopic[], options: Parameters<typeof makeLog>[1] = {}) {
  const bytes = await makeLog(topics, options);
  return withFolder(async (folder) => {
    await writeFiles(folder, { "drive.mcap": bytes });
    const log = await ImageLog.open(join(folder, "drive.mcap"));
    try {
      const { topic } = log.choose(topics.length === 1 ? undefined : topics[0]!.topic);
      const found: { id: string; logTime: bigint; publishTime: bigint; image: ImageMessage }[] = [];
      for await (const { frame, message, image } of log.read(topic, await log.frames(topic))) {
        found.push({ id: frame.id, logTime: message.logTime, publishTime: message.publishTime, image: image() });
      }
      return found;
    } finally {
      await log.close();
    }
  });
}

const rawOfRos = {
  header: { seq: 7, stamp: { ...stamp, nanosec: stamp.nsec }, frame_id: "cam" },
  ...size,
  is_bigendian: 1,
  data: pixels,
};
const rawOfFoxglove = { timestamp: stamp, frame_id: "cam", ...size, data: pixels };

test.each<[string, Dialect, unknown, boolean]>([
  ["ROS 1", ros1("Image"), rawOfRos, true],
  ["ROS 2", ros2("Image"), rawOfRos, true],
  [
    "ROS 2, defined in IDL",
    { ...ros2("Image"), schema: { ...ros2("Image").schema, encoding: "ros2idl" } },
    rawOfRos,
    true,
  ],
  ["foxglove_msgs of ROS 1", foxgloveRos("RawImage", 1), rawOfFoxglove, false],
  [
    "foxglove_msgs of ROS 2",
    foxgloveRos("RawImage", 2),
    { ...rawOfFoxglove, timestamp: { ...stamp, nanosec: stamp.nsec } },
    false,
  ],
  [
    "Foxglove protobuf",
    foxgloveProtobuf("RawImage"),
    { ...rawOfFoxglove, timestamp: { seconds: stamp.sec, nanos: stamp.nsec } },
    false,
  ],
  [
    "Foxglove JSON",
    foxgloveJson("RawImage"),
    { ...rawOfFoxglove, data: Buffer.from(pixels).toString("base64") },
    false,
  ],
])("a raw image that the official library of %s wrote is read back", async (_, dialect, message, bigEndian) => {
  const [found] = await imagesOf([{ topic: "/cam", dialect, messages: [{ logTime: START, message }] }]);
  expect(found).toMatchObject({ id: "1700000000_250000000", logTime: START, publishTime: START - 5n });
  const { data, ...rest } = found!.image.pixels;
  expect({ ...found!.image, pixels: rest }).toEqual({
    stamp: STAMP,
    frameId: "cam",
    pixels: { kind: "raw", ...size, bigEndian },
  });
  expect([...data]).toEqual([...pixels]);
});

const compressedOfRos = { header: rawOfRos.header, format: "rgb8; jpeg compressed bgr8", data: pixels };
const compressedOfFoxglove = { timestamp: stamp, frame_id: "cam", format: "jpeg", data: pixels };

test.each<[string, Dialect, unknown]>([
  ["ROS 1", ros1("CompressedImage"), compressedOfRos],
  ["ROS 2", ros2("CompressedImage"), compressedOfRos],
  ["foxglove_msgs of ROS 1", foxgloveRos("CompressedImage", 1), compressedOfFoxglove],
  [
    "Foxglove protobuf",
    foxgloveProtobuf("CompressedImage"),
    { ...compressedOfFoxglove, timestamp: { seconds: stamp.sec, nanos: stamp.nsec } },
  ],
  [
    "Foxglove JSON",
    foxgloveJson("CompressedImage"),
    { ...compressedOfFoxglove, data: Buffer.from(pixels).toString("base64") },
  ],
])("a compressed image that the official library of %s wrote is read back", async (_, dialect, message) => {
  const [found] = await imagesOf([{ topic: "/cam", dialect, messages: [{ logTime: START, message }] }]);
  const { image } = found!;
  expect([image.stamp, image.frameId, image.pixels.kind]).toEqual([STAMP, "cam", "compressed"]);
  expect([...image.pixels.data]).toEqual([...pixels]);
});

test("odd lengths of strings move the fields behind them in CDR, and are read all the same", async () => {
  for (const frame_id of ["", "a", "ab", "abc", "abcd"]) {
    const message = { ...rawOfRos, header: { ...rawOfRos.header, frame_id } };
    const [found] = await imagesOf([{ topic: "/cam", dialect: ros2("Image"), messages: [{ logTime: 1n, message }] }]);
    expect(found!.image.frameId).toBe(frame_id);
    expect([...found!.image.pixels.data]).toEqual([...pixels]);
  }
});

const many = (count: number, message: unknown) =>
  Array.from({ length: count }, (_, i) => ({ logTime: START + BigInt(i) * 100_000_000n, message }));

test.each([
  ["no compression", {}],
  ["zstd", { compressChunk: await zstd() }],
  ["lz4", { compressChunk: (data: Uint8Array) => ({ compression: "lz4", compressedData: lz4Frame(data) }) }],
])("frames of many small chunks come in order of time, with %s", async (_, compression) => {
  const topics = [
    { topic: "/cam", dialect: ros2("Image"), messages: many(20, rawOfRos) },
    { topic: "/other", dialect: ros1("Image"), messages: many(20, rawOfRos) },
  ];
  const found = await imagesOf(topics, { chunkSize: 300, ...compression });
  expect(found.map(({ logTime }) => logTime)).toEqual(topics[0]!.messages.map(({ logTime }) => logTime));
});

test("messages of one log time are told apart, across chunks too", async () => {
  const messages = Array.from({ length: 9 }, (_, i) => ({
    logTime: START + BigInt(i >> 2),
    message: { ...rawOfRos, header: { ...rawOfRos.header, frame_id: `frame ${i}` } },
  }));
  const found = await imagesOf([{ topic: "/cam", dialect: ros2("Image"), messages }], { chunkSize: 200 });
  expect(found.map(({ image }) => image.frameId)).toEqual(messages.map((_, i) => `frame ${i}`));
  expect(new Set(found.map(({ id }) => id)).size).toBe(9);
  expect([...found.map(({ id }) => id)].sort()).toEqual(found.map(({ id }) => id));
});

test("a part of the frames is read without the rest", async () => {
  await withFolder(async (folder) => {
    const topic = { topic: "/cam", dialect: ros1("Image"), messages: many(30, rawOfRos) };
    await writeFiles(folder, { "drive.mcap": await makeLog([topic], { chunkSize: 400 }) });
    const log = await ImageLog.open(join(folder, "drive.mcap"));
    const frames = (await log.frames("/cam")).filter((_, i) => i % 7 === 3);
    const found: bigint[] = [];
    for await (const { message } of log.read("/cam", frames)) found.push(message.logTime);
    await log.close();
    expect(found).toEqual(frames.map(({ logTime }) => logTime));
    expect(found).toHaveLength(4);
  });
});

test("topics of images are listed with type, encoding and count where none, or a wrong one, is named", async () => {
  await withFolder(async (folder) => {
    const jpeg = await testImage(8, 8).jpeg().toBuffer();
    const topics = [
      { topic: "/left", dialect: ros2("Image"), messages: many(3, rawOfRos) },
      {
        topic: "/right",
        dialect: foxgloveJson("CompressedImage"),
        messages: many(1, { data: jpeg.toString("base64") }),
      },
    ];
    await writeFiles(folder, { "drive.mcap": await makeLog(topics) });
    const log = await ImageLog.open(join(folder, "drive.mcap"));
    const listed =
      "/left (sensor_msgs/msg/Image, cdr, 3 messages); /right (foxglove.CompressedImage, json, 1 messages)";
    expect(() => log.choose(undefined)).toThrow(`has 2 topics of images: ${listed}`);
    expect(() => log.choose("/lef")).toThrow(`has no topic of images "/lef", but ${listed}`);
    expect(log.choose("/left").count).toBe(3n);
    await log.close();
  });
});

test("a definition with other fields than ROS has is refused, not misread", async () => {
  const usual = ros2("Image");
  const text = new TextDecoder()
    .decode(usual.schema.data)
    .replace("uint32 height\nuint32 width", "uint32 width\nuint32 height");
  const dialect = { ...usual, schema: { ...usual.schema, data: new TextEncoder().encode(text) } };
  const read = imagesOf([{ topic: "/cam", dialect, messages: many(1, rawOfRos) }]);
  await expect(read).rejects.toThrow(
    "/cam: message 1 (1700000000_250000000): its sensor_msgs/msg/Image is defined with other fields",
  );
});

async function zstd() {
  const { default: library } = await import("@foxglove/wasm-zstd");
  await library.isLoaded;
  return (data: Uint8Array) => ({ compression: "zstd", compressedData: library.compress(data) });
}
