import { readdir, readFile, rm, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { testImage, withFolder, writeFiles } from "../../../../test/folders.js";
import { foxgloveProtobuf, makeLog, ros2 } from "../../logs/testing/makeLog.js";
import { openDataset } from "../../open/openDataset.js";
import { readSample } from "../readSample.js";

const SECOND = 1_000_000_000n;
const START = 1_700_000_000n * SECOND;

/** Ten frames, one each second: raw on /raw, JPEG on /jpeg. */
async function drive(folder: string): Promise<{ file: string; rgb: Buffer; jpeg: Buffer }> {
  const image = testImage(40, 32);
  const [rgb, jpeg] = [await image.clone().raw().toBuffer(), await image.clone().jpeg().toBuffer()];
  const header = { stamp: { sec: 3, nanosec: 4 }, frame_id: "cam" };
  const raw = { header, height: 32, width: 40, encoding: "rgb8", is_bigendian: 0, step: 120, data: rgb };
  const each = (message: unknown) =>
    Array.from({ length: 10 }, (_, i) => ({ logTime: START + BigInt(i) * SECOND, message }));
  const topics = [
    { topic: "/raw", dialect: ros2("Image"), messages: each(raw) },
    { topic: "/jpeg", dialect: foxgloveProtobuf("CompressedImage"), messages: each({ format: "jpeg", data: jpeg }) },
  ];
  await writeFiles(folder, { "drive.mcap": await makeLog(topics, { chunkSize: 10_000 }) });
  return { file: join(folder, "drive.mcap"), rgb, jpeg };
}

test("raw images arrive in the cache as PNG of the same pixels, compressed ones as the bytes they are", async () => {
  await withFolder(async (folder) => {
    const { file, rgb, jpeg } = await drive(folder);
    const cache = join(folder, "cache");
    const raw = await openDataset(`mcap:${file}?topic=/raw&limit=2`, { cache });
    const sample = await readSample(raw, raw.items[1]!);
    expect([sample.id, sample.width, sample.height, sample.labels]).toEqual(["1700000001_000000000", 40, 32, null]);
    expect(Buffer.from(sample.rgb).equals(rgb)).toBe(true);
    const compressed = await openDataset(`mcap:${file}?topic=/jpeg`, { cache });
    expect(compressed.items).toHaveLength(10);
    expect((await readFile(compressed.items[9]!.image)).equals(jpeg)).toBe(true);
  });
});

test("from, to, every and limit choose frames before any is taken out of the log", async () => {
  await withFolder(async (folder) => {
    const { file } = await drive(folder);
    const cache = join(folder, "cache");
    const dataset = await openDataset(`mcap:${file}?topic=/jpeg&from=2&to=9.5&every=3&limit=2`, { cache });
    expect(dataset.items.map(({ id }) => id)).toEqual(["1700000002_000000000", "1700000005_000000000"]);
    expect(dataset.spec).toBe(`mcap:${file}?topic=/jpeg&from=2&to=9.5&every=3&limit=2`);
    expect(dataset.labelling).toBeNull();
    const [log] = await readdir(join(cache, "logs"));
    const files = await readdir(join(cache, "logs", log!));
    expect(files.sort()).toEqual(["1700000002_000000000.jpg", "1700000005_000000000.jpg", "manifest.json"]);
    const none = openDataset(`mcap:${file}?topic=/jpeg&from=50`, { cache });
    await expect(none).rejects.toThrow("/jpeg has no image between 50 and the end seconds");
  });
});

test("a second opening reads nothing of the log's images, and mends a file that was cut", async () => {
  await withFolder(async (folder) => {
    const { file } = await drive(folder);
    const cache = join(folder, "cache");
    const taken: number[] = [];
    const open = () => openDataset(`mcap:${file}?topic=/raw`, { cache, onProgress: (done) => void taken.push(done) });
    const { items } = await open();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await open();
    expect(taken).toHaveLength(10);
    await truncate(items[3]!.image, 20);
    await rm(items[4]!.image);
    await open();
    expect(taken).toHaveLength(12);
    expect((await sharp(items[3]!.image).metadata()).width).toBe(40);
    // A log that was written anew has other frames.
    await utimes(file, 1, 1);
    expect((await open()).items[0]!.image).not.toBe(items[0]!.image);
  });
});

test("a frame that breaks a rule is named with file, topic and number before it reaches a training", async () => {
  await withFolder(async (folder) => {
    const good = await testImage(8, 8).png().toBuffer();
    const messages = [good, Buffer.from("no image")].map((data, i) => ({
      logTime: BigInt(i),
      message: { header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" }, format: "png", data },
    }));
    await writeFiles(folder, {
      "a.mcap": await makeLog([{ topic: "/c", dialect: ros2("CompressedImage"), messages }]),
    });
    const open = openDataset(`mcap:${join(folder, "a.mcap")}`, { cache: join(folder, "cache") });
    await expect(open).rejects.toThrow(
      /a\.mcap: \/c: message 2 \(0000000000_000000001\): its 8 bytes \(format "png"\) are no JPEG, PNG or WebP/,
    );
  });
});
