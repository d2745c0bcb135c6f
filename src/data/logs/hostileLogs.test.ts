import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { withFolder, writeFiles } from "../../../test/folders.js";
import { UserError } from "../../platform/errors.js";
import { decompressHandlers } from "./decompress.js";
import { ImageLog } from "./imageLog.js";
import { rgbOf } from "./rawPixels.js";
import { foxgloveProtobuf, lz4Frame, makeLog, ros1, ros2 } from "./testing/makeLog.js";

const header = { seq: 0, stamp: { sec: 1, nsec: 2, nanosec: 2 }, frame_id: "cam" };
const raw = { header, height: 2, width: 2, encoding: "rgb8", is_bigendian: 0, step: 6, data: new Uint8Array(12) };
const each = (message: unknown) => [1n, 2n, 3n].map((logTime) => ({ logTime, message }));

/** Three topics, several chunks. */
const small = (options: Parameters<typeof makeLog>[1]): Promise<Uint8Array> =>
  makeLog(
    [
      { topic: "/a", dialect: ros1("Image"), messages: each(raw) },
      { topic: "/b", dialect: ros2("Image"), messages: each(raw) },
      { topic: "/c", dialect: foxgloveProtobuf("RawImage"), messages: each({ ...raw, header: undefined }) },
    ],
    { chunkSize: 250, ...options },
  );

/** Open a log and read every image of every topic as far as a file. */
async function readAll(path: string): Promise<number> {
  const log = await ImageLog.open(path);
  let images = 0;
  try {
    for (const { topic } of log.topics) {
      for await (const { image } of log.read(topic, await log.frames(topic))) {
        // What is wrong with one message is no error of the others.
        try {
          const { pixels } = image();
          if (pixels.kind === "raw") rgbOf(pixels);
        } catch (error) {
          if (!(error instanceof UserError || error instanceof RangeError)) throw error;
        }
        images++;
      }
    }
  } finally {
    await log.close();
  }
  return images;
}

const lz4 = (data: Uint8Array) => ({ compression: "lz4", compressedData: lz4Frame(data) });
let zstd: typeof lz4;
beforeAll(async () => {
  const { default: library } = await import("@foxglove/wasm-zstd");
  await library.isLoaded;
  zstd = (data) => ({ compression: "zstd", compressedData: library.compress(data) });
});

const compressions = [
  ["no compression", () => ({})],
  ["zstd", () => ({ compressChunk: zstd })],
  ["lz4", () => ({ compressChunk: lz4 })],
] as const;

test.each(compressions)("a log that is cut off anywhere is refused by name (%s)", async (_, options) => {
  const bytes = await small(options());
  await withFolder(async (folder) => {
    const file = join(folder, "drive.mcap");
    for (let length = 0; length < bytes.length; length += 97) {
      await writeFile(file, bytes.subarray(0, length));
      const error = await readAll(file).catch((caught: unknown) => caught);
      expect(error, `${length} bytes`).toBeInstanceOf(UserError);
      expect((error as UserError).message).toMatch(
        /drive\.mcap: (is damaged or cut off|does not begin and end|the file is empty)/,
      );
      expect((error as UserError).hint).toMatch(/mcap recover|copy the log again/);
    }
  });
});

test.each(compressions)(
  "changed bytes give images or an error that names the file, never more memory (%s)",
  async (_, options) => {
    const bytes = await small(options());
    const before = process.memoryUsage().arrayBuffers;
    await withFolder(async (folder) => {
      const file = join(folder, "drive.mcap");
      const change = fc.record({
        at: fc.nat(bytes.length - 1),
        byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 127, 128, 255)),
        run: fc.integer({ min: 1, max: 8 }),
      });
      const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const mutated = Uint8Array.from(bytes);
        for (const { at, byte, run } of changes) mutated.fill(byte, at, at + run);
        await writeFile(file, mutated);
        const result = await readAll(file).catch((error: unknown) => error);
        if (typeof result === "number") expect(result).toBeLessThanOrEqual(9);
        else {
          expect(result).toBeInstanceOf(UserError);
          expect((result as UserError).message).toContain("drive.mcap");
        }
      });
      await fc.assert(property, { numRuns: 200, seed: 25 });
      // A chunk that failed must not spoil those that are read after it.
      await writeFile(file, bytes);
      expect(await readAll(file)).toBe(9);
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 27);
  },
);

test.each([
  ["nothing", new Uint8Array(), "the file is empty"],
  ["text", "hello ".repeat(100), "does not begin and end as an .mcap file does"],
])("%s is no log", async (_, bytes, message) => {
  await withFolder(async (folder) => {
    await writeFiles(folder, { "drive.mcap": bytes });
    await expect(ImageLog.open(join(folder, "drive.mcap"))).rejects.toThrow(message);
    await expect(ImageLog.open(folder)).rejects.toThrow("is a folder, wanted a file");
    await expect(ImageLog.open(join(folder, "other.mcap"))).rejects.toThrow("is not there");
  });
});

test.each([
  ["without chunks", { useChunks: false }],
  ["without an index of chunks", { useChunkIndex: false }],
  ["without an index of messages", { useMessageIndex: false }],
])("a log %s is refused with how to index it", async (_, options) => {
  await withFolder(async (folder) => {
    await writeFiles(folder, { "drive.mcap": await small(options) });
    const error = await readAll(join(folder, "drive.mcap")).catch((caught: unknown) => caught);
    expect((error as UserError).message).toContain("has no index of its messages");
    expect((error as UserError).hint).toContain("mcap recover");
  });
});

test("a log without messages, and one without images, say what is there", async () => {
  await withFolder(async (folder) => {
    const other = {
      ...ros2("Image"),
      schema: { name: "std_msgs/msg/String", encoding: "ros2msg", data: new Uint8Array() },
    };
    await writeFiles(folder, {
      "empty.mcap": await makeLog([]),
      "other.mcap": await makeLog([{ topic: "/chat\u001b[2J", dialect: other, messages: each(raw) }]),
    });
    const choose = async (name: string): Promise<string> => {
      const log = await ImageLog.open(join(folder, name));
      return Promise.resolve()
        .then(() => log.choose(undefined).topic)
        .catch((error: Error) => error.message)
        .finally(() => log.close());
    };
    expect(await choose("empty.mcap")).toContain("has no topic of images, and no other");
    expect(await choose("other.mcap")).toContain("but /chat\\x1b[2J (std_msgs/msg/String, cdr)");
  });
});

test.each(["zstd", "lz4"])(
  "a chunk that lies about its size is refused, and memory is not asked for (%s)",
  async (name) => {
    const handler = (await decompressHandlers("drive.mcap"))[name]!;
    const { compressedData } = (name === "zstd" ? zstd : lz4)(new Uint8Array(1000));
    expect(handler(compressedData, 1000n)).toHaveLength(1000);
    expect(() => handler(compressedData, 2n ** 40n)).toThrow("drive.mcap: a chunk says it has 1099511627776 bytes");
    expect(() => handler(compressedData, 1001n)).toThrow(/a chunk (has 1000 bytes, not the 1001|does not decompress)/);
    expect(() => handler(compressedData, 999n)).toThrow(/a chunk (has|does not decompress)/);
    expect(handler(compressedData, 1000n)).toHaveLength(1000);
  },
);
