import { UserError } from "../../platform/errors.js";
import { printable } from "../../platform/printable.js";

/** `reader:path?key=value&key=value`, taken apart. A path alone is read by what it ends in. */
export interface Spec {
  readonly reader: string;
  readonly path: string;
  readonly options: ReadonlyMap<string, string>;
}

const FORM = 'specs look like "camvid:data/camvid?split=train", or are the path of a folder (docs/data.md)';

/** Readers of files, by ending; anything else is a folder. */
const byEnding: Readonly<Record<string, string>> = { ".mcap": "mcap", ".csv": "manifest" };

/**
 * Take a data set spec apart. The path is taken as it stands; option values may hold %-escapes, and a plus is a plus.
 * Which readers and options there are is not decided here.
 */
export function parseSpec(text: string): Spec {
  const shown = printable(text);
  // A letter and a colon are a drive.
  const [, named, path = "", query] = /^(?:([\w-]{2,}):)?([^?]*)(?:\?(.*))?$/s.exec(text)!;
  if (named !== undefined && !/^[a-z][a-z0-9-]*$/.test(named)) {
    throw new UserError(`"${shown}" is not a data set spec`, { hint: FORM });
  }
  const reader = named ?? byEnding[/\.\w+$/.exec(path)?.[0].toLowerCase() ?? ""] ?? "folder";
  if (path === "") throw new UserError(`"${shown}" names no path`, { hint: FORM });
  if (path.includes("\0")) throw new UserError(`"${shown}" holds a NUL character`, { hint: FORM });
  const options = new Map<string, string>();
  for (const part of query === undefined || query === "" ? [] : query.split("&")) {
    const [key = "", ...rest] = part.split("=");
    const value = decoded(rest.join("="), shown);
    if (key === "" || value === "") {
      throw new UserError(`"${printable(part)}" in "${shown}" is not key=value`, { hint: FORM });
    }
    if (options.has(key))
      throw new UserError(`"${printable(key)}" is given twice in "${shown}"`, { hint: "give it once" });
    options.set(key, value);
  }
  return { reader, path, options };
}

/** The spec as one string; parsing it gives the spec back. */
export function formatSpec({ reader, path, options }: Spec): string {
  const query = [...options].map(([key, value]) => `${key}=${value.replace(/[%&\s]/g, encodeURIComponent)}`).join("&");
  return `${reader}:${path}${query === "" ? "" : `?${query}`}`;
}

/** One spelling of a spec, whatever the order of its options; what is no spec stays as it is. */
export function sortedSpec(text: string): string {
  try {
    const { options, ...spec } = parseSpec(text);
    return formatSpec({ ...spec, options: new Map([...options].sort(([a], [b]) => (a < b ? -1 : 1))) });
  } catch {
    return text;
  }
}

/** The same data set without its labels: those that lie there are not even looked at. */
export function unlabelled(text: string): string {
  const { options, ...spec } = parseSpec(text);
  return formatSpec({ ...spec, options: new Map([...options, ["unlabelled", "true"]]) });
}

/** The name of a data set, whether or not it was opened without its labels. */
export function nameOf(text: string): string {
  const { options, ...spec } = parseSpec(text);
  return formatSpec({ ...spec, options: new Map([...options].filter(([key]) => key !== "unlabelled")) });
}

function decoded(value: string, shown: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new UserError(`"${printable(value)}" in "${shown}" has a % that escapes nothing`, {
      hint: "write % as %25",
      cause,
    });
  }
}

/** The name of an opened data set as a spec; null where it is none, as of predictions that were scored. */
export function specOf(name: string): Spec | null {
  if (!/^[a-z][a-z0-9-]+:/.test(name)) return null;
  try {
    return parseSpec(name);
  } catch {
    return null;
  }
}
