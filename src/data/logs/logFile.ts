import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader, type McapTypes } from "@mcap/core";
import { UserError } from "../../platform/errors.js";
import { codeOf, FileError } from "../../platform/files.js";
import { printable } from "../../platform/printable.js";
import { decompressHandlers } from "./decompress.js";

/** No record of a log that can be used is larger. */
const MOST_RECORD = 2n ** 30n;

const RECOVER =
  'write it anew with "mcap recover broken.mcap -o sound.mcap" (the tool of mcap.dev), which keeps what is sound';

/** Where a message stands in a log. */
export interface MessagePlace {
  /** Nanoseconds. */
  readonly logTime: bigint;
  /** 0 but for messages of one topic with the same log time, which are numbered. */
  readonly nth: number;
  /** The chunk that holds it, by its offset in the file. */
  readonly chunk: bigint;
}

export type Message = McapTypes.TypedMcapRecords["Message"];
export type Channel = McapTypes.TypedMcapRecords["Channel"];
export type Schema = McapTypes.TypedMcapRecords["Schema"];

/**
 * An .mcap file: its topics, and their messages by way of its index. The file is not trusted: no length in it makes us allocate more than
 * the file has, or than a bound, and every fault becomes an error that names the file.
 */
export class LogFile {
  readonly path: string;
  /** The path as it can be printed. */
  readonly file: string;
  readonly #handle: FileHandle;
  readonly #readable: McapTypes.IReadable;
  readonly #reader: McapIndexedReader;

  private constructor(path: string, handle: FileHandle, readable: McapTypes.IReadable, reader: McapIndexedReader) {
    this.path = path;
    this.file = printable(path);
    this.#handle = handle;
    this.#readable = readable;
    this.#reader = reader;
  }

  static async open(path: string): Promise<LogFile> {
    const file = printable(path);
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
      throw new FileError(path, codeOf(cause), cause);
    });
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new FileError(path, found.isDirectory() ? "EISDIR" : "NOT_REGULAR", undefined);
      if (found.size === 0) throw new UserError(`${file}: the file is empty`, { hint: "copy the log again" });
      const readable = readableOf(file, handle, BigInt(found.size));
      const handlers = await decompressHandlers(file);
      const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: handlers }).catch(
        (cause: unknown) => {
          throw faulty(file, cause);
        },
      );
      if (reader.chunkIndexes.length === 0 && (reader.statistics?.messageCount ?? 0n) > 0n) throw unindexed(file);
      return new LogFile(path, handle, readable, reader);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get channels(): Iterable<Channel> {
    return this.#reader.channelsById.values();
  }

  schemaOf(channel: Channel): Schema | undefined {
    return this.#reader.schemasById.get(channel.schemaId);
  }

  /** Messages of a channel; undefined where the log has no statistics. */
  countOf(channel: Channel): bigint | undefined {
    const counts = this.#reader.statistics?.channelMessageCounts;
    return counts === undefined ? undefined : (counts.get(channel.id) ?? 0n);
  }

  /** Log time of the first message of any topic. */
  get startTime(): bigint {
    return this.#reader.chunkIndexes.reduce(
      (least, { messageStartTime: time }) => (time < least ? time : least),
      this.#reader.chunkIndexes[0]?.messageStartTime ?? 0n,
    );
  }

  /** Every message of a topic by log time, from the index alone: no chunk is read. */
  async places(topic: string): Promise<MessagePlace[]> {
    const ids = new Set([...this.channels].filter((channel) => channel.topic === topic).map(({ id }) => id));
    const found: { logTime: bigint; chunk: bigint; offset: bigint }[] = [];
    for (const chunk of this.#reader.chunkIndexes) {
      if (chunk.messageIndexLength === 0n) throw unindexed(this.file);
      if (![...ids].some((id) => chunk.messageIndexOffsets.has(id))) continue;
      for (const { channelId, records } of await this.#messageIndexes(chunk)) {
        if (!ids.has(channelId)) continue;
        for (const [logTime, offset] of records) found.push({ logTime, chunk: chunk.chunkStartOffset, offset });
      }
    }
    found.sort((a, b) => compare(a.logTime, b.logTime) || compare(a.chunk, b.chunk) || compare(a.offset, b.offset));
    let nth = 0;
    return found.map(({ logTime, chunk }, i) => {
      nth = i > 0 && found[i - 1]!.logTime === logTime ? nth + 1 : 0;
      return { logTime, nth, chunk };
    });
  }

  async #messageIndexes(chunk: McapTypes.ChunkIndex): Promise<McapTypes.TypedMcapRecords["MessageIndex"][]> {
    const start = chunk.chunkStartOffset + chunk.chunkLength;
    const found: McapTypes.TypedMcapRecords["MessageIndex"][] = [];
    try {
      const records = new McapStreamReader({ noMagicPrefix: true });
      records.append(await this.#readable.read(start, chunk.messageIndexLength));
      for (let record = records.nextRecord(); record !== undefined; record = records.nextRecord()) {
        if (record.type === "MessageIndex") found.push(record);
      }
    } catch (cause) {
      throw faulty(this.file, cause);
    }
    return found;
  }

  /** Messages of a topic at some of its places, given in order. Only the chunks that hold one are read. */
  async *messages(
    topic: string,
    places: readonly MessagePlace[],
  ): AsyncGenerator<{ readonly place: MessagePlace; readonly message: Message }> {
    for (const group of byChunk(places)) {
      const wanted = new Map(group.map((place) => [`${place.logTime} ${place.nth}`, place]));
      const [startTime, endTime] = [group[0]!.logTime, group.at(-1)!.logTime];
      let nth = 0;
      let found = 0;
      let before: bigint | undefined;
      for await (const message of this.#read({ topics: [topic], startTime, endTime })) {
        nth = message.logTime === before ? nth + 1 : 0;
        before = message.logTime;
        const place = wanted.get(`${message.logTime} ${nth}`);
        if (place === undefined) continue;
        found++;
        yield { place, message };
      }
      if (found < group.length) {
        throw faulty(this.file, new Error(`${group.length - found} messages of ${topic} are not where the index says`));
      }
    }
  }

  async *#read(range: Parameters<McapIndexedReader["readMessages"]>[0]): AsyncGenerator<Message> {
    try {
      yield* this.#reader.readMessages(range);
    } catch (cause) {
      throw faulty(this.file, cause);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Neighbours in one chunk are read together, so that the chunk is decompressed once. */
function byChunk(places: readonly MessagePlace[]): MessagePlace[][] {
  const groups: MessagePlace[][] = [];
  for (const place of places) {
    const last = groups.at(-1);
    if (last?.[0]?.chunk === place.chunk) last.push(place);
    else groups.push([place]);
  }
  return groups;
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function readableOf(file: string, handle: FileHandle, size: bigint): McapTypes.IReadable {
  return {
    size: async () => size,
    async read(offset, length) {
      if (offset < 0n || length < 0n || offset + length > size) {
        throw new Error(`it names ${length} bytes at ${offset}, but has ${size}`);
      }
      if (length > MOST_RECORD) {
        throw new UserError(`${file}: has a record of ${length} bytes; at most ${MOST_RECORD} are read`, {
          hint: RECOVER,
        });
      }
      const bytes = new Uint8Array(Number(length));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, Number(offset));
      if (bytesRead !== bytes.length) throw new Error(`it ends after ${Number(offset) + bytesRead} bytes`);
      return bytes;
    },
  };
}

function unindexed(file: string): UserError {
  return new UserError(
    `${file}: has no index of its messages, so that images cannot be found without reading all of it`,
    {
      hint: RECOVER,
    },
  );
}

/** What the library says of a file it cannot read, as an error of the file. */
function faulty(file: string, cause: unknown): UserError {
  if (cause instanceof UserError) return cause;
  const said = (cause instanceof Error ? cause.message : String(cause)).replace(/ \[library=.*\]$/s, "");
  if (said.includes("not indexed")) return unindexed(file);
  const notOne = said.startsWith("Expected MCAP magic");
  return new UserError(
    printable(
      `${file}: ${notOne ? "does not begin and end as an .mcap file does: it is another kind of file, or cut off" : `is damaged or cut off: ${said}`}`,
    ),
    {
      hint: RECOVER,
      cause,
    },
  );
}
