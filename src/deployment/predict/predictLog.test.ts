import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "@foxglove/rosmsg";
import { ros2humble } from "@foxglove/rosmsg-msgs-common";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader, type McapTypes } from "@mcap/core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { decompressHandlers } from "../../data/logs/decompress.js";
import { foxgloveProtobuf, type LogTopic, makeLog, ros1, ros2 } from "../../data/logs/testing/makeLog.js";
import { findInputs } from "./findInputs.js";
import { predictImages } from "./predictImages.js";
import { fakeModel } from "./testing/fakeModel.js";

const START = 1_700_000_000_123_456_789n;
const times = [0n, 50_000_000n, 900_000_000n].map((after) => START + after);
const STAMP = { sec: 1_699_999_999, nsec: 7, nanosec: 7 };

async function predictLog(folder: string, topics: readonly LogTopic[], given: string) {
  await writeFiles(folder, { "drive.mcap": await makeLog(topics) });
  const inputs = await findInputs([given.replace("drive.mcap", join(folder, "drive.mcap"))]);
  const model = await fakeModel({ class: 0, certain: 1 });
  const to = join(folder, "out");
  return { to, ...(await predictImages({ model, name: "m.onnx", inputs, to })) };
}

/** Every message of a log by the official reader, those of ROS 2 decoded by its own schema. */
async function readOfficially(file: string) {
  const bytes = await readFile(file);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset: bigint, size: bigint) =>
      Uint8Array.from(bytes.subarray(Number(offset), Number(offset + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: await decompressHandlers(file) });
  const messages: { topic: string; message: McapTypes.Message; value: Record<string, unknown> | null }[] = [];
  for await (const message of reader.readMessages()) {
    const { topic, schemaId, messageEncoding } = reader.channelsById.get(message.channelId)!;
    const schema = reader.schemasById.get(schemaId)!;
    const definition = () => parse(new TextDecoder().decode(schema.data), { ros2: true });
    const value =
      messageEncoding === "cdr"
        ? new MessageReader(definition()).readMessage<Record<string, unknown>>(message.data)
        : null;
    messages.push({ topic, message, value });
  }
  const metadata: McapTypes.Metadata[] = [];
  for await (const one of reader.readMetadata()) metadata.push(one);
  return { reader, messages, metadata };
}

const raw = async (seed: number) => ({
  header: { seq: seed, stamp: STAMP, frame_id: "front" },
  height: 32,
  width: 48,
  encoding: "rgb8",
  is_bigendian: 0,
  step: 144,
  data: await testImage(48, 32, seed).raw().toBuffer(),
});
const rawTopic = async (dialect = ros2("Image")): Promise<LogTopic> => ({
  topic: "/camera/image",
  dialect,
  messages: await Promise.all(times.map(async (logTime, i) => ({ logTime, message: await raw(i) }))),
});

test("the official reader finds each image with its class, uncertainty and certain share, at the original times", () =>
  withFolder(async (folder) => {
    const topic = await rawTopic();
    const { to, images, logs } = await predictLog(folder, [topic], "drive.mcap");
    expect(images.map(({ id, frame, certain }) => [id, frame, certain])).toEqual(
      ["1700000000_123456789", "1700000000_173456789", "1700000001_023456789"].map((id, i) => [
        `drive/${id}`,
        i + 1,
        1,
      ]),
    );
    expect(logs).toEqual([
      {
        file: join(folder, "drive.mcap"),
        topic: "/camera/image",
        log: join("log", "drive.mcap"),
        layout: join("log", "drive.layout.json"),
      },
    ]);
    const { reader, messages, metadata } = await readOfficially(join(to, logs[0]!.log));
    expect(reader.header.profile).toBe("ros2");
    const of = (name: string) => messages.filter(({ topic: one }) => one === name);
    for (const name of [
      "/camera/image",
      "/gssl/segmentation",
      "/gssl/certain",
      "/gssl/classes",
      "/gssl/uncertainty",
      "/gssl/certain_share",
      "/gssl/out_of_domain",
    ]) {
      expect(
        of(name).map(({ message }) => message.logTime),
        name,
      ).toEqual(times);
      expect(
        of(name).map(({ message }) => message.publishTime),
        name,
      ).toEqual(times.map((time) => time - 5n));
    }
    const header = { stamp: { sec: STAMP.sec, nanosec: STAMP.nsec }, frame_id: "front" };
    for (const [i, { message }] of of("/camera/image").entries()) {
      expect(Buffer.from(message.data).equals(topic.dialect.write(topic.messages[i]!.message))).toBe(true);
    }
    const [classes] = of("/gssl/classes");
    expect(classes!.value).toMatchObject({
      header,
      height: 32,
      width: 48,
      encoding: "mono8",
      step: 48,
      is_bigendian: 0,
    });
    expect([...(classes!.value!.data as Uint8Array)]).toEqual(Array(48 * 32).fill(0));
    const { value } = of("/gssl/uncertainty")[0]!;
    expect(value).toMatchObject({ header, height: 32, width: 48, encoding: "16UC1", step: 96, is_bigendian: 0 });
    const about = Object.fromEntries(metadata[0]!.metadata);
    expect(metadata[0]!.name).toBe("gssl");
    const code = Buffer.from(value!.data as Uint8Array).readUInt16LE(100);
    expect(code * Number(about.uncertaintyStep)).toBeCloseTo(0.3, 4);
    expect(JSON.parse(about.classes!)).toEqual([{ name: "road", colour: [1, 2, 3] }]);
    const [segmentation] = of("/gssl/segmentation");
    expect(segmentation!.value).toMatchObject({ header, format: "png" });
    const png = await sharp(segmentation!.value!.data as Uint8Array)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([png.info.width, png.info.height, ...png.data.subarray(0, 3)]).toEqual([48, 32, 1, 2, 3]);
    expect(of("/gssl/certain_share").map(({ value: share }) => share)).toEqual(times.map(() => ({ data: 1 })));
    expect(of("/gssl/out_of_domain").map(({ value: flag }) => flag)).toEqual(times.map(() => ({ data: false })));
  }));

test("the definitions in the file are those of ROS", () =>
  withFolder(async (folder) => {
    const { to, logs } = await predictLog(folder, [await rawTopic(ros1("Image"))], "drive.mcap");
    const { reader } = await readOfficially(join(to, logs[0]!.log));
    const ours = [...reader.schemasById.values()].filter(({ encoding }) => encoding === "ros2msg");
    expect(ours.map(({ name }) => name).sort()).toEqual([
      ...["sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/Image"],
      ...["sensor_msgs/msg/Image", "std_msgs/msg/Bool", "std_msgs/msg/Float64"],
    ]);
    for (const { name, data } of ours) {
      const official = ros2humble[name.replace("/msg/", "/") as keyof typeof ros2humble];
      const [own, ...used] = parse(new TextDecoder().decode(data), { ros2: true });
      expect(own!.definitions, name).toEqual(official.definitions);
      for (const one of used) {
        expect(one.definitions).toEqual(ros2humble[one.name as keyof typeof ros2humble].definitions);
      }
    }
    // Images of ROS 1 were copied: no log of ROS 2 any more.
    expect(reader.header.profile).toBe("");
  }));

test("compressed images without a stamp take the log time; the layout names topics that the file has", () =>
  withFolder(async (folder) => {
    const jpeg = await testImage(48, 32).jpeg().toBuffer();
    const messages = times.map((logTime) => ({ logTime, message: { data: jpeg, format: "jpeg", frame_id: "left" } }));
    const topics = [{ topic: "/left", dialect: foxgloveProtobuf("CompressedImage"), messages }, await rawTopic()];
    const { to, logs, images } = await predictLog(folder, topics, "mcap:drive.mcap?topic=/left&every=2");
    expect(images.map(({ id }) => id)).toEqual(["drive/1700000000_123456789", "drive/1700000001_023456789"]);
    const { reader, messages: found } = await readOfficially(join(to, logs[0]!.log));
    const stamps = found
      .filter(({ topic }) => topic === "/gssl/classes")
      .map(({ value }) => (value!.header as { stamp: unknown }).stamp);
    expect(stamps).toEqual([
      { sec: 1_700_000_000, nanosec: 123_456_789 },
      { sec: 1_700_000_001, nanosec: 23_456_789 },
    ]);
    const there = new Set([...reader.channelsById.values()].map(({ topic }) => topic));
    const layout = await readFile(join(to, logs[0]!.layout), "utf8");
    const named = [...layout.matchAll(/"(?:imageTopic|value)": "(\/[\w/]+)/g)].map(([, topic]) => topic!);
    expect(named).toEqual(["/left", "/gssl/segmentation", "/gssl/certain", "/gssl/uncertainty", "/gssl/certain_share"]);
    expect(named.filter((topic) => !there.has(topic))).toEqual([]);
    const { configById, layout: tree } = JSON.parse(layout) as { configById: object; layout: unknown };
    const shown = [...JSON.stringify(tree).matchAll(/"(\w+!\w+)"/g)].map(([, panel]) => panel);
    expect(shown.sort()).toEqual(Object.keys(configById).sort());
  }));

test("an image that breaks a rule is passed over by name, and the others are written", () =>
  withFolder(async (folder) => {
    const topic = await rawTopic();
    const broken = { ...(await raw(1)), step: 1 };
    const messages = topic.messages.map((one, i) => (i === 1 ? { ...one, message: broken } : one));
    const { to, images, skipped, logs } = await predictLog(folder, [{ ...topic, messages }], "drive.mcap");
    expect(images).toHaveLength(2);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/drive\.mcap: \/camera\/image: message 2 \(1700000000_173456789\): its step is 1/),
    ]);
    const { messages: found } = await readOfficially(join(to, logs[0]!.log));
    expect(found).toHaveLength(14);
  }));

test("a caller that stops in the middle leaves no half log behind", () =>
  withFolder(async (folder) => {
    await writeFiles(folder, { "drive.mcap": await makeLog([await rawTopic()]) });
    const inputs = await findInputs([join(folder, "drive.mcap")]);
    const stop = new Error("stop");
    const work = predictImages({
      model: await fakeModel({ class: 0, certain: 1 }),
      name: "m.onnx",
      inputs,
      to: join(folder, "out"),
      onImage() {
        throw stop;
      },
    });
    await expect(work).rejects.toBe(stop);
    expect(await readdir(join(folder, "out", "log"))).toEqual([]);
  }));
