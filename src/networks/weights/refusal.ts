import { UserError } from "../../platform/errors.js";

/** Turns a file away: `why` continues a sentence that begins with the file's name. */
export type Refuse = (why: string, hint?: string) => never;

/** `file` is what to call the file in messages. */
export function refuser(file: string): Refuse {
  return (why, hint = "the file is damaged, or was not written by torch.save") => {
    throw new UserError(`${file}: ${why}`, { hint });
  };
}

const LONGEST = 80;

/** Text that came out of a file, fit for a terminal: control characters escaped, not endless. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
