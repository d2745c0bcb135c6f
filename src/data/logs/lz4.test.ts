import fc from "fast-check";
import { expect, test } from "vitest";
import { decompressLz4 } from "./lz4.js";

/** What the lz4 program (1.9.4) makes of `text` without options, and with `-BX --content-size`, in base64. */
const text = `${"gamma ".repeat(50)}${Array.from({ length: 60 }, (_, i) => i * i).join(" ")}`;
const frames = {
  plain:
    "BCJNGGRAp/wAAABvZ2FtbWEgBgD/FPBhMCAxIDQgOSAxNiAyNSAzNiA0OSA2NCA4MSAxMDAgMTIxIDE0NCAxNjkgMTk2IDIyNSAyNTYgMjg5IDMyNCAzNjEgNDAwIDQ0MSA0ODQgNTI5IDU3NiA2MjUgNjc2IDcyOSA3ODQgODQxIDkwMCA5NlgA4DI0IDEwODkgMTE1NiAxVABwMTI5NiAxM2YAEDRvABA1eAAQNoEAEDaKAHA3NjQgMTg0hABQMzYgMjCGABAxsgDwBjIwOSAyMzA0IDI0MDEgMjUwMCAyNgoAEDcUABA4HgBQOTE2IDMyAEAzMTM2tQCwOSAzMzY0IDM0ODEAAAAAZOQ1Vg==",
  blockChecksumsAndSize:
    "BCJNGHxAKQIAAAAAAAAR/AAAAG9nYW1tYSAGAP8U8GEwIDEgNCA5IDE2IDI1IDM2IDQ5IDY0IDgxIDEwMCAxMjEgMTQ0IDE2OSAxOTYgMjI1IDI1NiAyODkgMzI0IDM2MSA0MDAgNDQxIDQ4NCA1MjkgNTc2IDYyNSA2NzYgNzI5IDc4NCA4NDEgOTAwIDk2WADgMjQgMTA4OSAxMTU2IDFUAHAxMjk2IDEzZgAQNG8AEDV4ABA2gQAQNooAcDc2NCAxODSEAFAzNiAyMIYAEDGyAPAGMjA5IDIzMDQgMjQwMSAyNTAwIDI2CgAQNxQAEDgeAFA5MTYgMzIAQDMxMza1ALA5IDMzNjQgMzQ4McKdEOMAAAAAZOQ1Vg==",
};

test.each(Object.entries(frames))("a frame of the lz4 program is read back (%s)", (_, base64) => {
  const frame = Buffer.from(base64, "base64");
  expect(Buffer.from(decompressLz4(frame, text.length)).toString()).toBe(text);
});

test("a frame with changed bytes gives bytes or a RangeError, within the size that was said", () => {
  const frame = Buffer.from(frames.plain, "base64");
  fc.assert(
    fc.property(fc.nat(frame.length - 1), fc.nat(255), fc.nat(2000), (at, byte, size) => {
      const changed = Uint8Array.from(frame);
      changed[at] = byte;
      try {
        expect(decompressLz4(changed, size).length).toBeLessThanOrEqual(size);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 2000, seed: 4 },
  );
});

test("a size that no lz4 can reach is refused before memory is asked for", () => {
  expect(() => decompressLz4(Buffer.from(frames.plain, "base64"), 2 ** 33)).toThrow(
    "bytes of lz4 cannot make 8589934592",
  );
});
