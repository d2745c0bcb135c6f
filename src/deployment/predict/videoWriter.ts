import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../../platform/errors.js";
import { makeFolder } from "../../platform/files.js";
import { ffmpegSays } from "./video.js";

/** Encoders in order of preference, with their settings for quality. The last plays in fewer programs, but every ffmpeg has it. */
const encoders: Readonly<Record<string, readonly string[]>> = {
  libx264: ["-crf", "20"],
  libopenh264: ["-b:v", "6M"],
  h264_videotoolbox: ["-b:v", "6M"],
  h264_mf: ["-b:v", "6M"],
  "libvpx-vp9": ["-crf", "30", "-b:v", "0"],
  mpeg4: ["-q:v", "4"],
};

/** The best encoder that the installed ffmpeg has. */
async function bestEncoder(): Promise<string> {
  const { text } = await ffmpegSays(["-hide_banner", "-encoders"]);
  const there = new Set(text.split("\n").map((line) => /^\s*V\S*\s+(\S+)/.exec(line)?.[1]));
  const found = Object.keys(encoders).find((name) => there.has(name));
  if (found !== undefined) return found;
  throw new UserError("this ffmpeg has no encoder for mp4", {
    hint: `frames are written as images; install an ffmpeg with one of ${Object.keys(encoders).join(", ")}`,
  });
}

/** Frames of one size, written to an mp4 as they come. */
export class VideoWriter {
  readonly #file: string;
  readonly #draft: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #bytes: number;
  #complaint = "";

  private constructor(file: string, child: ChildProcess, draft: string, bytes: number) {
    this.#file = file;
    this.#draft = draft;
    this.#child = child;
    this.#bytes = bytes;
    this.#ended = once(child, "close");
    child.stderr!.on("data", (text: Buffer) => {
      this.#complaint = `${this.#complaint}${text.toString()}`.slice(-500);
    });
    // Said when it is closed: the process may end before it has taken all it was given.
    child.stdin!.on("error", () => {});
  }

  static async open(
    file: string,
    { width, height, rate }: { readonly width: number; readonly height: number; readonly rate: string },
  ): Promise<VideoWriter> {
    const encoder = await bestEncoder();
    await makeFolder(dirname(file));
    const draft = `${file}.tmp`;
    const given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-r", rate, "-i", "-"];
    // Encoders need even sides.
    const scaled = ["-vf", "scale=trunc(min(1920\\,iw)/2)*2:-2", "-pix_fmt", "yuv420p"];
    const written = ["-c:v", encoder, ...encoders[encoder]!, "-movflags", "+faststart", "-f", "mp4", `file:${draft}`];
    const words = ["-v", "error", "-y", ...given, ...scaled, ...written];
    return new VideoWriter(
      file,
      spawn("ffmpeg", words, { stdio: ["pipe", "ignore", "pipe"] }),
      draft,
      width * height * 3,
    );
  }

  /** Red, green and blue of a frame; waits while ffmpeg is behind. */
  async write(rgb: Uint8Array): Promise<void> {
    if (rgb.length !== this.#bytes) throw new UserError(`${this.#file}: a frame has another size than those before it`);
    const stdin = this.#child.stdin!;
    if (!stdin.write(rgb) && !stdin.destroyed) await Promise.race([once(stdin, "drain"), this.#ended]);
  }

  /** The file is there once this returns. */
  async finish(): Promise<void> {
    this.#child.stdin!.end();
    await this.#ended;
    if (this.#child.exitCode !== 0) {
      await rm(this.#draft, { force: true });
      const why = this.#complaint.trim().split("\n").at(-1) || `ffmpeg ended with ${this.#child.exitCode}`;
      throw new UserError(`${this.#file}: the video cannot be written: ${why}`, {
        hint: "frames are written as images",
      });
    }
    await rename(this.#draft, this.#file);
  }

  /** Leave without a file. */
  async abandon(): Promise<void> {
    this.#child.kill();
    await this.#ended;
    await rm(this.#draft, { force: true });
  }
}
