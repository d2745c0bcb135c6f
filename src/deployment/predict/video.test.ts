import { afterEach, expect, test } from "vitest";
import { requireFfmpeg, videoFrames } from "./video.js";

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

test("where ffmpeg cannot be started, reading a video ends with one error, and nothing is left unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  process.env.PATH = "/nowhere";
  await expect(requireFfmpeg("a.mp4")).rejects.toThrow("there is no ffmpeg");
  await expect(videoFrames("a.mp4").next()).rejects.toThrow(
    "a.mp4: cannot be read as a video after 0 frames: ffmpeg ended with spawn ffmpeg ENOENT",
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
