import { createHash } from "node:crypto";

/** A static site: what is served at each path, e.g. "/index.html". "/" is "/index.html" unless it is there itself. */
export type Site = ReadonlyMap<string, SiteFile>;

export interface SiteFile {
  /** Its media type, e.g. "text/html; charset=utf-8". */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Scripts, styles and workers of the site alone; pixels of its own making; no other server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self' blob: data:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Cross-origin isolation: without it a browser has no SharedArrayBuffer, and WebAssembly one thread. */
export const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Answers for exact paths, held in memory: there is no path that could lead out of a folder. */
export class SiteAnswers {
  readonly #files = new Map<string, SiteFile & { readonly tag: string }>();

  constructor(site: Site) {
    for (const [path, file] of site) {
      const tag = `"${createHash("sha256").update(file.bytes).digest("base64url").slice(0, 22)}"`;
      this.#files.set(path, { ...file, tag });
    }
    const index = this.#files.get("/index.html");
    if (index !== undefined && !this.#files.has("/")) this.#files.set("/", index);
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
