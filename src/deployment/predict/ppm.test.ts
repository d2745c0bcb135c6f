import { expect, test } from "vitest";
import { PpmReader } from "./ppm.js";

const image = (width: number, height: number, level: number): Buffer =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.alloc(width * height * 3, level)]);

test("images come out whole, however the stream is chopped up", () => {
  const stream = Buffer.concat([image(8, 4, 1), image(8, 4, 2), image(5, 6, 3)]);
  for (const size of [1, 7, 64, 113, stream.length]) {
    const reader = new PpmReader("film.mp4");
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)));
    expect(found.map(({ width, height, rgb }) => [width, height, rgb[0], rgb.length])).toEqual([
      [8, 4, 1, 96],
      [8, 4, 2, 96],
      [5, 6, 3, 90],
    ]);
    expect(reader.done).toBe(true);
  }
});

test("a stream that stops within an image is not done, and one of something else is refused", () => {
  const reader = new PpmReader("film.mp4");
  expect([...reader.push(image(8, 8, 0).subarray(0, 100))]).toEqual([]);
  expect(reader.done).toBe(false);
  expect(() => [...new PpmReader("film.mp4").push(Buffer.alloc(100, 65))]).toThrow(
    "film.mp4: its frames do not come as PPM",
  );
  expect(() => [...new PpmReader("f").push(Buffer.from(`P6 99999 4 255\n${"x".repeat(80)}`))]).toThrow("99999 x 4");
  expect(() => [...new PpmReader("f").push(Buffer.from(`P6 9000 9000 255\n${"x".repeat(80)}`))]).toThrow(
    "f: its frames are 9000 x 9000 pixels, more than 50000000",
  );
});
