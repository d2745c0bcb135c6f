import { shellWord } from "../../platform/printable.js";

/** The command as it could be typed again: words with anything unusual in them are quoted for a shell. */
export const commandLine = (words: readonly string[] = process.argv.slice(2)): string =>
  ["gssl", ...words.map(shellWord)].join(" ");
