import { UserError } from "../../platform/errors.js";
import { readText } from "../../platform/files.js";

/** A token from a file, without the line end that editors leave: what stands in a command line, others can read in the list of processes. */
export async function readToken(file: string): Promise<string> {
  const token = (await readText(file)).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UserError(`${file}: wanted one line without spaces`, {
    hint: "openssl rand -hex 32 makes a token",
  });
}
