import type { z } from "zod";
import { UserError } from "./errors.js";
import { readIfThere, readRegularFile } from "./files.js";
import { describeIssue } from "./schemaIssue.js";

/** Longer JSON than anybody writes: results with thousands of images have a few megabytes. */
const MOST_BYTES = 2 ** 26;
/** Faults that are spelled out. */
const MOST_FAULTS = 5;

/** What a JSON file must be. `hint` says how to get a right one. */
export interface JsonForm<T> {
  readonly schema: z.ZodType<T>;
  readonly hint: string;
}

/** Read a JSON file. Errors name the file, the place in it and what was wanted there. */
export const readJson = async <T>(path: string, form: JsonForm<T>): Promise<T> =>
  parseJson((await readRegularFile(path, MOST_BYTES)).toString("utf8"), path, form);

/** The same; null where there is no such file. */
export async function readJsonIfThere<T>(path: string, form: JsonForm<T>): Promise<T | null> {
  const bytes = await readIfThere(path, MOST_BYTES);
  return bytes === null ? null : parseJson(bytes.toString("utf8"), path, form);
}

/** For files that only save time: null as well where it cannot be read or is not what it should be. */
export const readJsonIfSound = <T>(path: string, form: JsonForm<T>): Promise<T | null> =>
  readJsonIfThere(path, form).catch((error: unknown) => {
    if (error instanceof UserError) return null;
    throw error;
  });

/** Text that is JSON; `name` is what to call it in errors. */
export function parseJson<T>(text: string, name: string, { schema, hint }: JsonForm<T>): T {
  const refuse = (why: string, cause: unknown): UserError => new UserError(`${name}: ${why}`, { hint, cause });
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw refuse(`is not JSON: ${syntaxFault(text, cause instanceof Error ? cause.message : "")}`, cause);
  }
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const faults = issues.slice(0, MOST_FAULTS).map((issue) => describeIssue(issue, found));
  const more = issues.length > MOST_FAULTS ? `; and ${issues.length - MOST_FAULTS} more` : "";
  throw refuse(`${faults.join("; ")}${more}`, parsed.error);
}

/** What the parser says, with the line in place of a position. */
function syntaxFault(text: string, message: string): string {
  if (text.trim() === "") return "it is empty";
  const said = message.replace(/ in JSON at position.*| \(line.*\)$/s, "");
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return said.split("\n")[0]!.slice(0, 100);
  const before = text.slice(0, Number(position)).split("\n");
  return `${said}, line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
