import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { UserError } from "../platform/errors.js";
import { codeOf, FileError } from "../platform/files.js";

/** What is done with a log. */
export interface LogReader {
  /** The file is another one than before, or was begun again: nothing that was read counts any more. */
  restart(): void;
  /** A whole line, without its end; lines count from 1. */
  line(text: string, number: number): void;
}

/** How far a log was read. */
export interface TailPlace {
  readonly offset: number;
  readonly size: number;
  /** When it was last written to, in milliseconds. */
  readonly written: number;
}

/** Read at a time, and the longest line there can be: those of trainings have a few thousand bytes. */
const CHUNK = 2 ** 20;
/** Read in one call; so much is parsed in a fifth of a second. */
const MOST_BYTES = 2 ** 24;
/** Bytes before the place that are compared: every line has numbers of its own. */
const REMEMBERED = 256;

/**
 * Follows a file that grows by lines: each call reads what was added since, and nothing twice. A last line without an end waits for the rest
 * of it. A file that was replaced, shortened or begun again is read from its start.
 */
export class LogTail {
  readonly #path: string;
  readonly #reader: LogReader;
  #offset = 0;
  #lines = 0;
  #inode = Number.NaN;
  /** The last bytes before the offset: a file that grew beyond it under the same number, with other bytes, was begun again. */
  #before = Buffer.alloc(0);

  constructor(path: string, reader: LogReader) {
    this.#path = path;
    this.#reader = reader;
  }

  /** Null where there is no file. */
  async advance(): Promise<TailPlace | null> {
    // Without O_NONBLOCK, opening a pipe blocks until it is written to.
    const file = await open(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
      if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return null;
      throw new FileError(this.#path, codeOf(cause), cause);
    });
    if (file === null) {
      this.#restart(Number.NaN);
      return null;
    }
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new FileError(this.#path, found.isDirectory() ? "EISDIR" : "NOT_REGULAR");
      if (found.ino !== this.#inode || found.size < this.#offset || !(await this.#goesOn(file)))
        this.#restart(found.ino);
      const until = Math.min(found.size, this.#offset + MOST_BYTES);
      while (this.#offset < until && (await this.#readLines(file, found.size)));
      return { offset: this.#offset, size: found.size, written: found.mtimeMs };
    } finally {
      await file.close();
    }
  }

  #restart(inode: number): void {
    const had = this.#offset > 0;
    this.#inode = inode;
    this.#offset = 0;
    this.#lines = 0;
    this.#before = Buffer.alloc(0);
    if (had) this.#reader.restart();
  }

  async #goesOn(file: FileHandle): Promise<boolean> {
    const { length } = this.#before;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, this.#offset - length);
    return bytesRead === length && buffer.equals(this.#before);
  }

  /** The whole lines of a chunk; false where there is none. */
  async #readLines(file: FileHandle, size: number): Promise<boolean> {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, this.#offset);
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    if (end === 0) {
      if (bytesRead < CHUNK || this.#offset + CHUNK >= size) return false;
      throw new UserError(`${this.#path}: line ${this.#lines + 1} has more than ${CHUNK} bytes`, {
        hint: "it is no log of a training",
      });
    }
    const chunk = buffer.subarray(0, end);
    for (const text of chunk.toString("utf8", 0, end - 1).split("\n")) this.#reader.line(text, ++this.#lines);
    this.#before = Buffer.concat([this.#before, chunk.subarray(-REMEMBERED)]).subarray(-REMEMBERED);
    this.#offset += end;
    return true;
  }
}
