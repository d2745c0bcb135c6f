import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".jpg": "image/jpeg",
};

/** A plain server of static files, on a free port: no headers for threads, as most hosts of pages. */
export function served(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, "http://x").pathname;
    const file = join(folder, path === "/" ? "index.html" : path);
    const bytes = await readFile(file).catch(() => null);
    response.writeHead(bytes === null ? 404 : 200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
    });
    response.end(bytes);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}
