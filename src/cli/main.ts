#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { UserError } from "../platform/errors.js";
import { endWithReader, printNote } from "../platform/print.js";
import { commandLineProgram, commands } from "./program.js";

/** Exit codes: 0 done, 1 failed, 2 misused, 130 and 143 stopped by a signal. */
const FAILED = 1;
const MISUSED = 2;

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const program = commandLineProgram(version);
endWithReader();
try {
  await addHelp(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  else if (error instanceof UserError) {
    const code = error.name === "DataError" ? `${error.code}: ` : "";
    printNote(`gssl: ${code}${error.message}${error.hint === undefined ? "" : `\nhint: ${error.hint}`}`);
    process.exitCode = error.code === "bad-option" ? MISUSED : FAILED;
  } else if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

/** Help that only the library can write is added where it was asked for: `gssl --help` stays quick. */
async function addHelp(words: readonly string[]): Promise<void> {
  if (!words.some((word) => ["--help", "-h", "help"].includes(word))) return;
  const asked = commands.find(({ name, help }) => help !== undefined && words.includes(name));
  if (asked === undefined) return;
  const made = program.commands.find((one) => one.name() === asked.name);
  made?.addHelpText("after", asked.help!(await import("../index.js")));
}
