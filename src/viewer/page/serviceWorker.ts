/// <reference lib="dom" />
import type { SiteManifest } from "../manifest.js";

/**
 * Keeps the site for when there is no network. Names of files contain their hash, so what is kept under a name is right for ever; the page
 * itself and its list of models are asked for anew, and kept ones used where no server answers. The site builder puts `SITE` in front.
 */
declare const SITE: string;
declare const self: {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
};
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const CACHE = `gamma-ssl-page-${SITE}`;
const at = (file: string): string => new URL(file, self.registration.scope).href;
const changing = new Set([at("./"), at("index.html"), at("models.json")]);

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  const plain = url.split(/[?#]/)[0]!;
  const known = changing.has(plain) || /\/(assets|models|examples|ort-[\d.]+)\//.test(plain);
  if (known) event.respondWith(answer(event.request, plain).then(isolated));
});

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  const manifest = (await (await fetch(at("models.json"), { cache: "no-cache" })).json()) as SiteManifest;
  await cache.addAll([at("./"), at("models.json"), ...manifest.offline.map(at)]);
}

async function forgetOlder(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith("gamma-ssl-page-") && name !== CACHE) await caches.delete(name);
}

async function answer(request: Request, plain: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(plain);
  if (!changing.has(plain)) return kept ?? (await fetched(request, plain, cache));
  return fetched(request, plain, cache).catch((error: unknown) => {
    if (kept === undefined) throw error;
    return kept;
  });
}

async function fetched(request: Request, plain: string, cache: Cache): Promise<Response> {
  const response = await fetch(request);
  if (response.status === 200) await cache.put(plain, response.clone());
  return response;
}

/** Threads need these headers, which many servers of static files cannot send. */
function isolated(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
