import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../platform/errors.js";
import { readIfThere, readRegularFile } from "../platform/files.js";

/** A file of a site, by its exact path. */
export interface SiteEntry {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** All files of a page as its build left them in a folder, by path. */
export async function builtPage(at: URL): Promise<Map<string, SiteEntry>> {
  const folder = fileURLToPath(at);
  const files = new Map<string, SiteEntry>();
  if ((await readIfThere(join(folder, "index.html"))) === null) {
    throw new UserError(`${folder} has no index.html: the page is not built`, { hint: "npm run build" });
  }
  for (const found of (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())) {
    const name = join(found.parentPath, found.name);
    const path = name.slice(folder.length + 1).replaceAll("\\", "/");
    files.set(path, siteEntry(path, await readRegularFile(name)));
  }
  return files;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".onnx": "application/octet-stream",
  ".jpg": "image/jpeg",
};

/** Bytes with the type that their name tells. */
export const siteEntry = (path: string, bytes: Uint8Array): SiteEntry => ({
  type: types[extname(path)] ?? "application/octet-stream",
  bytes,
});
