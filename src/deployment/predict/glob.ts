import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";

export const isGlob = (text: string): boolean => /[*?]/.test(text);

/**
 * Files that a pattern names, sorted: `*` stands for anything within a name, `?` for one character of it, `**` for any folders
 * between. Shells know more; this is for patterns in quotes, and for shells that do not expand them.
 */
export async function globbed(pattern: string): Promise<string[]> {
  const parts = pattern.replaceAll("\\", "/").split("/");
  const fixed = parts.findIndex(isGlob);
  const root = parts.slice(0, fixed).join("/") || (pattern.startsWith("/") ? "/" : ".");
  const wanted = new RegExp(`^${expressionOf(parts.slice(fixed))}$`, "u");
  const entries = await readdir(root, { recursive: parts.length - fixed > 1, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => wanted.test(relative(root, path).replaceAll("\\", "/")))
    .sort();
}

function expressionOf(parts: readonly string[]): string {
  const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const one = (part: string): string => escaped(part).replaceAll("*", "[^/]*").replaceAll("?", "[^/]");
  // `**` takes the slash behind it along, so that it also stands for no folder at all.
  return parts
    .map((part, i) => (part === "**" ? "(?:[^/]+/)*" : one(part) + (i < parts.length - 1 ? "/" : "")))
    .join("");
}
