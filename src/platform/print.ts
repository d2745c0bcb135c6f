import { printable } from "./printable.js";

/**
 * The one place that writes to the terminal. Names from files may hold escape sequences; of these only the three that our tables use are
 * let through: bold, faint and struck out.
 */
export const print = (text: string): void => void process.stdout.write(line(text));

/** For people, beside the results. */
export const printNote = (text: string): void => void process.stderr.write(line(text));

const line = (text: string): string => `${terminalText(text)}${text.endsWith("\n") ? "" : "\n"}`;

/** A result for programs, which is still safe to look at: what could do harm is written as \u…, which JSON reads back. */
export function printJson(value: unknown, indent?: number): void {
  const text = JSON.stringify(value, null, indent);
  const safe = text.replace(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
      .map((code) => `\\u${code.toString(16).padStart(4, "0")}`)
      .join(""),
  );
  process.stdout.write(`${safe}\n`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const OURS = /(\n|\u001b\[(?:[129]|22|29)m)/;

/** Text with line ends and our own marks as they are, and every other control character spelled out. */
export const terminalText = (text: string): string =>
  text
    .split(OURS)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join("");

/** What shells expect of a command whose reader has gone: 128 and the number of SIGPIPE. */
const READER_GONE = 141;

/** `gssl … | head -1` ends quietly when the reader has seen enough. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(READER_GONE);
      throw error;
    });
  }
}
