import { spawn } from "node:child_process";
import { once } from "node:events";
import { MOST_PREDICTED } from "../../data/images/imageLimits.js";
import type { RgbImage } from "../../data/images/tensors.js";
import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";
import { PpmReader } from "./ppm.js";

/** Refuse videos before anything is done where nothing can read them. */
export async function requireFfmpeg(video: string): Promise<void> {
  const missing = await ffmpegSays(["-version"]).then(
    ({ code }) => code !== 0,
    () => true,
  );
  if (missing) {
    throw new UserError(`${printable(video)} is a video, and there is no ffmpeg to read it with`, {
      hint: "install ffmpeg, or save the frames as images and give their folder",
    });
  }
}

/** What ffmpeg prints, on either stream, and its exit code. */
export async function ffmpegSays(
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn("ffmpeg", words, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text };
}

/** Frames a second, as ffmpeg writes them; 25 where it does not say. */
export async function frameRate(file: string): Promise<string> {
  const { text } = await ffmpegSays(["-hide_banner", "-nostdin", ...input(file)]);
  return /([\d.]+) fps/.exec(text)?.[1] ?? "25";
}

// "file:" so that no name can mean an address or an option; only files are opened, whatever a playlist may say.
// Larger frames are refused by ffmpeg itself, before it takes memory for them.
const input = (file: string): string[] => [
  ...["-protocol_whitelist", "file,pipe", "-max_pixels", String(MOST_PREDICTED)],
  ...["-i", `file:${file}`],
];

/** The frames of a video, upright, one by one: ffmpeg decodes, and waits while nobody takes any. */
export async function* videoFrames(file: string): AsyncGenerator<RgbImage> {
  const words = ["-v", "error", "-nostdin", ...input(file), "-f", "image2pipe", "-c:v", "ppm", "-"];
  const child = spawn("ffmpeg", words, { stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (text: Buffer) => {
    complaint = `${complaint}${text.toString()}`.slice(-500);
  });
  // Its exit code, or why it could not be started.
  const ended = once(child, "close").then(
    ([code]) => String(code),
    (error: Error) => error.message,
  );
  const reader = new PpmReader(file);
  let frames = 0;
  try {
    for await (const chunk of child.stdout) {
      for (const image of reader.push(chunk as Buffer)) {
        frames++;
        yield image;
      }
    }
    const code = await ended;
    if (code !== "0" || !reader.done || frames === 0) {
      const why =
        complaint.trim().split("\n").at(-1) || (code === "0" ? "no frames came" : `ffmpeg ended with ${code}`);
      throw new UserError(`${file}: cannot be read as a video after ${frames} frames: ${why}`);
    }
  } finally {
    child.kill();
  }
}
