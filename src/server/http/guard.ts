import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { UserError } from "../../platform/errors.js";
import { ServingError } from "./servingError.js";

/** Shorter ones can be guessed. */
const SHORTEST_TOKEN = 16;

/** Whether only programs of this machine can connect to it. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host);

/** Refuse to be reachable by others without a token. */
export function requireSafe(host: string, token: string | undefined): void {
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    throw new UserError(`the token has ${token.length} characters, wanted at least ${SHORTEST_TOKEN}`, {
      hint: "openssl rand -hex 32 makes one",
      code: "bad-option",
    });
  }
  if (isLoopback(host) || token !== undefined) return;
  throw new UserError(`${host} can be reached by other machines, and there is no token`, {
    hint: "--token, or leave out --host to serve this machine only",
    code: "bad-option",
  });
}

/** What is known of a request before anything is read of its body. */
export interface Caller {
  readonly path: string;
  /** The path as it was sent, with its query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

/** Probes of an orchestrator, which have no token and learn nothing. */
const open = new Set(["/v2/health/live", "/v2/health/ready"]);

/** "/../" however it is spelled: nobody needs it, and a proxy may read it in another way than we do. */
const DOTS = /^[^?]*[/\\](\.|%2e){1,2}([/\\?]|%2f|%5c|$)/i;

/** Refuse requests of strangers. */
export function guard(
  { path, target, host, origin, authorization }: Caller,
  served: { readonly host: string; readonly token: string | undefined },
): void {
  if (DOTS.test(target)) throw new ServingError(400, "the address has . or .. as a part");
  // A page elsewhere may let its own name point to 127.0.0.1 (DNS rebinding); its requests still carry that name.
  if (isLoopback(served.host) && !isLoopback(nameOf(host))) {
    throw new ServingError(421, "the Host header names another server", { hint: "use localhost or 127.0.0.1" });
  }
  // A browser names the page that asks: only our own may.
  if (origin !== undefined && origin.replace(/^https?:\/\//, "") !== host) {
    throw new ServingError(403, "requests of other pages are not answered");
  }
  if (served.token === undefined || open.has(path) || authorized(authorization, served.token)) return;
  throw new ServingError(401, "a token is needed", {
    hint: "Authorization: Bearer <token>; in a browser, as the password of any user",
    headers: { "WWW-Authenticate": 'Basic realm="gssl", charset="UTF-8"' },
  });
}

/** The name in a Host header, without its port. */
function nameOf(host = ""): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(host) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : "";
  const name = host.replace(/:\d+$/, "").toLowerCase();
  // "127.evil.example" begins like a loopback address.
  return name === "localhost" || isIP(name) === 4 ? name : "";
}

function authorized(header: string | undefined, token: string): boolean {
  const [, scheme = "", credentials = ""] = /^(\w+) +(.*)$/.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return equal(credentials, token);
  if (scheme.toLowerCase() !== "basic") return false;
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  return equal(pair.slice(pair.indexOf(":") + 1), token);
}

/** In a time that says nothing about where they differ, or how long the token is. */
function equal(given: string, token: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
