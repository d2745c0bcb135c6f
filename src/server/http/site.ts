import { createHash } from "node:crypto";
import type { SiteEntry } from "../../viewer/builtPage.js";

/** Files of a static site by their path, e.g. "index.html", which is served at "/" too. */
export type Site = ReadonlyMap<string, SiteEntry>;

/** Scripts, styles and workers of the site alone; pixels of its own making; no other server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Cross-origin isolation: without it a browser has no SharedArrayBuffer, and WebAssembly one thread. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Answers for exact paths, held in memory: there is no path that could lead out of a folder. */
export class SiteAnswers {
  #files = new Map<string, SiteEntry & { readonly tag: string }>();

  /** Serve these from now on. */
  set(site: Site): void {
    this.#files = new Map();
    for (const [path, { type, bytes }] of site) {
      const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
      this.#files.set(`/${path}`, { type, bytes, tag });
      if (path === "index.html") this.#files.set("/", { type, bytes, tag });
    }
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  answer(path: string, ifNoneMatch: string | undefined): Response {
    const { type, bytes, tag } = this.#files.get(path)!;
    const headers = {
      ...isolation,
      "Content-Security-Policy": POLICY,
      "Content-Type": type,
      "Cache-Control": "no-cache",
      ETag: tag,
    };
    const known = ifNoneMatch?.split(",").some((one) => ["*", tag, `W/${tag}`].includes(one.trim()));
    if (known) return new Response(null, { status: 304, headers });
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  }
}
