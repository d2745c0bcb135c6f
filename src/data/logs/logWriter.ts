import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { McapWriter } from "@mcap/core";
import { codeOf, FileError, makeFolder } from "../../platform/files.js";
import type { Channel, Schema } from "./logFile.js";
import type { Definition } from "./rosMessages.js";

/** Fast, and already a fraction of the size of maps. */
const COMPRESSION_LEVEL = 1;

interface Times {
  readonly logTime: bigint;
  readonly publishTime: bigint;
}

/** Writes an .mcap with chunks compressed by zstd. The file appears under its name once it is finished. */
export class LogWriter {
  readonly #path: string;
  readonly #draft: string;
  readonly #handle: FileHandle;
  readonly #writer: McapWriter;
  readonly #sequences = new Map<number, number>();

  private constructor(path: string, draft: string, handle: FileHandle, writer: McapWriter) {
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
    this.#writer = writer;
  }

  /** `profile` is "ros2" where every message is one of ROS 2, so that `ros2 bag play` takes the file. */
  static async create(path: string, { profile, library }: { readonly profile: string; readonly library: string }) {
    const { default: zstd } = await import("@foxglove/wasm-zstd");
    await zstd.isLoaded;
    await makeFolder(dirname(path));
    const draft = `${path}.tmp`;
    const handle = await open(draft, "w").catch((cause: unknown) => {
      throw new FileError(path, codeOf(cause), cause);
    });
    let position = 0n;
    const writer = new McapWriter({
      writable: {
        position: () => position,
        async write(bytes) {
          await handle.writeFile(bytes).catch((cause: unknown) => {
            throw new FileError(path, codeOf(cause), cause);
          });
          position += BigInt(bytes.length);
        },
      },
      compressChunk: (data) => ({ compression: "zstd", compressedData: zstd.compress(data, COMPRESSION_LEVEL) }),
    });
    await writer.start({ profile, library });
    return new LogWriter(path, draft, handle, writer);
  }

  /** A topic of messages that we write, for ROS 2. Gives its channel. */
  async topic(topic: string, { name, text }: Definition): Promise<number> {
    const data = new TextEncoder().encode(text);
    const schemaId = await this.#writer.registerSchema({ name, encoding: "ros2msg", data });
    return this.#writer.registerChannel({ topic, schemaId, messageEncoding: "cdr", metadata: new Map() });
  }

  /** A topic of another log, whose messages are copied as they are. */
  async copyTopic({ topic, messageEncoding, metadata }: Channel, { name, encoding, data }: Schema): Promise<number> {
    const schemaId = await this.#writer.registerSchema({ name, encoding, data });
    return this.#writer.registerChannel({ topic, schemaId, messageEncoding, metadata });
  }

  async add(channelId: number, { logTime, publishTime }: Times, data: Uint8Array): Promise<void> {
    const sequence = this.#sequences.get(channelId) ?? 0;
    this.#sequences.set(channelId, sequence + 1);
    await this.#writer.addMessage({ channelId, sequence, logTime, publishTime, data });
  }

  async addMetadata(name: string, metadata: ReadonlyMap<string, string>): Promise<void> {
    await this.#writer.addMetadata({ name, metadata: new Map(metadata) });
  }

  /** The file is there once this returns. */
  async finish(): Promise<void> {
    await this.#writer.end();
    await this.#handle.close();
    await rename(this.#draft, this.#path);
  }

  /** Leave without a file. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#draft, { force: true });
  }
}
