import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRosImage } from "./rosImages.js";
import {
  compressedDefinition,
  type Definition,
  flagDefinition,
  imageDefinition,
  numberDefinition,
  writeCompressed,
  writeFlag,
  writeImage,
  writeNumber,
} from "./rosMessages.js";

const readOfficially = ({ text }: Definition, data: Uint8Array): unknown =>
  new MessageReader(parse(text, { ros2: true })).readMessage(data);

const at = fc.record({
  seconds: fc.nat(2 ** 31 - 1),
  nanoseconds: fc.nat(999_999_999),
  frameId: fc.string({ maxLength: 9, unit: "grapheme" }),
});
const bytes = fc.uint8Array({ maxLength: 40 });

test("whatever is written, the official reader and ours read the same", () => {
  const size = fc.record({ height: fc.integer({ min: 1, max: 5 }), width: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(at, size, bytes, ({ seconds, nanoseconds, frameId }, { width, height }, content) => {
      const stamp = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
      const header = { stamp: { sec: seconds, nanosec: nanoseconds }, frame_id: frameId };
      const data = Uint8Array.from({ length: width * height }, (_, i) => content[i] ?? i);
      const image = writeImage({ stamp, frameId }, { width, height, encoding: "mono8", data });
      const wanted = { header, height, width, encoding: "mono8", is_bigendian: 0, step: width, data };
      expect(readOfficially(imageDefinition, image)).toEqual(wanted);
      expect(readRosImage("sensor_msgs/msg/Image", "cdr", image)).toEqual({
        stamp,
        frameId,
        pixels: {
          kind: "raw",
          width,
          height,
          encoding: "mono8",
          step: width,
          bigEndian: false,
          data: Buffer.from(data),
        },
      });
      const compressed = writeCompressed({ stamp, frameId }, "png", content);
      expect(readOfficially(compressedDefinition, compressed)).toEqual({ header, format: "png", data: content });
    }),
    { numRuns: 300, seed: 12 },
  );
});

test("numbers and flags", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.boolean(), (value, flag) => {
      expect(readOfficially(numberDefinition, writeNumber(value))).toEqual({ data: value });
      expect(readOfficially(flagDefinition, writeFlag(flag))).toEqual({ data: flag });
    }),
    { seed: 13 },
  );
});
