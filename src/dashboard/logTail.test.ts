import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogTail } from "./logTail.js";

let folder: string;
let path: string;
let lines: string[];
let tail: LogTail;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tail-"));
  path = join(folder, "log.jsonl");
  lines = [];
  tail = follow(lines);
});
afterEach(() => rm(folder, { recursive: true }));

const follow = (into: string[]): LogTail =>
  new LogTail(path, {
    restart: () => into.splice(0, Number.POSITIVE_INFINITY, "again"),
    line: (text, number) => into.push(`${number} ${text}`),
  });

test("however a log is cut into pieces, its lines come once and whole", async () => {
  const pieces = fc.array(fc.stringMatching(/^[ab\n γ]{0,12}$/), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      await writeFile(path, "");
      const seen: string[] = [];
      const reading = follow(seen);
      for (const part of parts) {
        await appendFile(path, part);
        await reading.advance();
      }
      const whole = parts.join("").split("\n").slice(0, -1);
      expect(seen).toEqual(whole.map((text, i) => `${i + 1} ${text}`));
    }),
    { numRuns: 30 },
  );
});

test("a line without an end waits for the rest of it, even in the middle of a letter", async () => {
  const bytes = Buffer.from("one\nγ two\n");
  await writeFile(path, bytes.subarray(0, 5));
  expect(await tail.advance()).toMatchObject({ offset: 4, size: 5 });
  expect(lines).toEqual(["1 one"]);
  await appendFile(path, bytes.subarray(5));
  await tail.advance();
  expect(lines).toEqual(["1 one", "2 γ two"]);
});

test("a log that is not there yet is waited for; one that goes away counts no more", async () => {
  expect(await tail.advance()).toBeNull();
  await writeFile(path, "one\n");
  await tail.advance();
  await rm(path);
  expect(await tail.advance()).toBeNull();
  expect(lines).toEqual(["again"]);
});

test("a log that was replaced, shortened or begun again is read from its start", async () => {
  await writeFile(path, "one\ntwo\n");
  await tail.advance();
  await writeFile(`${path}.new`, "one\ntwo\nthree\n");
  await rename(`${path}.new`, path);
  await tail.advance();
  expect(lines).toEqual(["again", "1 one", "2 two", "3 three"]);
  await truncate(path, 4);
  await tail.advance();
  expect(lines).toEqual(["again", "1 one"]);
  // As long as before or longer, in the same inode: only its bytes tell.
  const { ino } = await stat(path);
  await writeFile(path, "six\nseven\n");
  expect((await stat(path)).ino).toBe(ino);
  await tail.advance();
  expect(lines).toEqual(["again", "1 six", "2 seven"]);
});

test("a long log is read in pieces, each of which says how far it is", async () => {
  const text = `${"x".repeat(999)}\n`.repeat(20_000);
  await writeFile(path, text);
  const first = await tail.advance();
  expect(first!.offset).toBeGreaterThan(0);
  expect(first!.offset).toBeLessThan(first!.size);
  expect((await tail.advance())!.offset).toBe(text.length);
  expect(lines.length).toBe(20_000);
  expect(lines.at(-1)).toBe(`20000 ${"x".repeat(999)}`);
});

test("what cannot be a log is refused with its name: a folder, a pipe, a file without lines", async () => {
  await expect(new LogTail(folder, { restart() {}, line() {} }).advance()).rejects.toThrow("is a folder");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(new LogTail(pipe, { restart() {}, line() {} }).advance()).rejects.toThrow("is a pipe");
  await writeFile(path, "x".repeat(2 ** 21));
  await expect(tail.advance()).rejects.toThrow("log.jsonl: line 1 has more than");
});
