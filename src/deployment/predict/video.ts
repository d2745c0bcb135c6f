import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RgbImage } from "../../data/images/tensors.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { PpmReader } from "./ppm.js";

/** Refuse videos before anything is done where nothing can read them. */
export async function requireFfmpeg(video: string): Promise<void> {
  const child = spawn("ffmpeg", ["-version"], { stdio: "ignore" });
  const missing = await new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(true));
    child.on("close", (code) => resolve(code !== 0));
  });
  if (missing) {
    throw new UserError(`${printable(video)} is a video, and there is no ffmpeg to read it with`, {
      hint: "install ffmpeg, or save the frames as images and give their folder",
    });
  }
}

/** The frames of a video, upright, one by one: ffmpeg decodes, and waits while nobody takes any. */
export async function* videoFrames(file: string): AsyncGenerator<RgbImage> {
  // "file:" so that no name can mean an address or an option; only files are opened, whatever a playlist may say.
  const child = spawn(
    "ffmpeg",
    [
      "-v",
      "error",
      "-nostdin",
      "-protocol_whitelist",
      "file,pipe",
      "-i",
      `file:${file}`,
      "-f",
      "image2pipe",
      "-c:v",
      "ppm",
      "-",
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let complaint = "";
  child.stderr.on("data", (text: Buffer) => {
    complaint = `${complaint}${text.toString()}`.slice(-500);
  });
  const ended = once(child, "close");
  const reader = new PpmReader(file);
  let frames = 0;
  try {
    for await (const chunk of child.stdout) {
      for (const image of reader.push(chunk as Buffer)) {
        frames++;
        yield image;
      }
    }
    const [code] = (await ended) as [number | null];
    if (code !== 0 || !reader.done || frames === 0) {
      const why =
        complaint.trim().split("\n").at(-1) || (frames === 0 ? "no frames came" : `ffmpeg ended with ${code}`);
      throw new UserError(`${file}: cannot be read as a video after ${frames} frames: ${why}`);
    }
  } finally {
    child.kill();
  }
}
