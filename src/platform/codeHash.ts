import { stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegularFile } from "./files.js";
import { sha256 } from "./seal.js";

/** Any quoted relative path: imports of every kind, and files that a module reads beside itself. */
const QUOTED_PATH = /["'`](\.{1,2}\/[^"'`\n]+)["'`]/g;

const CODE = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx"]);

const known = new Map<string, Promise<string>>();

/**
 * sha256 of a module (a path, or the URL that modules know each other by) and of every file it names by a relative path, however far down. It is the same wherever the files lie, and another
 * as soon as one of them changes. Read once: a process runs the code it was started with.
 */
export function codeHash(module: string | URL): Promise<string> {
  const path = /^file:/.test(String(module)) ? fileURLToPath(module) : resolve(String(module));
  const found = known.get(path) ?? hashOf(path);
  known.set(path, found);
  return found;
}

async function hashOf(path: string): Promise<string> {
  const entry = (await existing(path)) ?? path;
  const hashes = new Map<string, string>();
  let open = [entry];
  while (open.length > 0) {
    const named = await Promise.all(open.map((file) => visit(file, hashes)));
    open = [...new Set(named.flat())].filter((file) => !hashes.has(file));
  }
  const place = (file: string): string => relative(dirname(entry), file).split(sep).join("/");
  const list = [...hashes].map(([file, hash]) => `${place(file)} ${hash}`);
  return sha256(list.sort().join("\n"));
}

/** Note the hash of a file; returns the files that it names. */
async function visit(file: string, hashes: Map<string, string>): Promise<string[]> {
  const bytes = await readRegularFile(file);
  hashes.set(file, sha256(bytes));
  if (!CODE.has(extname(file))) return [];
  const paths = [...bytes.toString("utf8").matchAll(QUOTED_PATH)].map(([, path]) => join(dirname(file), path!));
  const files = await Promise.all(paths.map(existing));
  return files.filter((found) => found !== null);
}

/** The file of a path. TypeScript names what it will be compiled to: x.js stands for x.ts. */
async function existing(path: string): Promise<string | null> {
  for (const file of [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")]) {
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return file;
  }
  return null;
}
