import { isIP } from "node:net";
import { UserError } from "../../platform/errors.js";
import { ServingError } from "./servingError.js";

/** Shorter ones can be guessed. */
const SHORTEST_TOKEN = 16;
/** What an Authorization header can carry (RFC 6750). */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Whether only programs of this machine can connect to it. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host);

/** Other machines are served with a token only. */
export function requireSafe(host: string, token: string | undefined): void {
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    throw new UserError(`the token has ${token.length} characters, wanted at least ${SHORTEST_TOKEN}`, {
      hint: "openssl rand -hex 32 makes one",
      code: "bad-option",
    });
  }
  if (token !== undefined && !TOKEN.test(token)) {
    throw new UserError("the token has characters that a bearer token may not have", {
      hint: 'wanted letters, digits and any of -._~+/, with "=" at the end only; openssl rand -hex 32 makes one',
      code: "bad-option",
    });
  }
  if (isLoopback(host) || token !== undefined) return;
  throw new UserError(`${host} can be reached by other machines, and there is no token`, {
    hint: "--token, or leave out --host to serve this machine only",
    code: "bad-option",
  });
}

/** Reject origins that no browser sends, and all origins at once where a token is asked for: a token is for known pages. */
export function requireOrigins(origins: readonly string[], token: string | undefined): void {
  for (const origin of origins) {
    if (origin === "*" && token === undefined) continue;
    if (origin === "*") {
      throw new UserError('"*" lets pages of all origins ask, and there is a token', {
        hint: "name the origins that may ask: --allow-origin https://example.com",
        code: "bad-option",
      });
    }
    if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw new UserError(`"${origin}" is not an origin: wanted scheme, host and port, without a path`, {
      hint: "as browsers spell it: https://example.com or http://localhost:5173",
      code: "bad-option",
    });
  }
}

/** What is known of a request before anything is read of its body. */
export interface Caller {
  /** The path as it was sent, with its query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** "/../" however it is encoded: no client needs it, and a proxy may read it in another way than we do. */
const DOTS = /^[^?]*[/\\](\.|%2e){1,2}([/\\?]|%2f|%5c|$)/i;

/** Reject requests that were meant for another server, and those of pages that may not ask. */
export function guard(
  { target, host, origin }: Caller,
  { host: own, allowOrigins }: { readonly host: string; readonly allowOrigins?: readonly string[] | undefined },
): void {
  if (DOTS.test(target)) throw new ServingError(400, "the address has . or .. as a part");
  // A page elsewhere may let its own name point to 127.0.0.1 (DNS rebinding); its requests still carry that name.
  if (isLoopback(own) && !isLoopback(nameOf(host))) {
    throw new ServingError(421, "the Host header names another server", { hint: "use localhost or 127.0.0.1" });
  }
  // A browser names the page that asks.
  if (origin === undefined || origin.replace(/^https?:\/\//, "") === host) return;
  if (allowOrigins?.some((one) => one === "*" || one === origin)) return;
  throw new ServingError(403, "cross-origin request rejected", {
    ...(allowOrigins && { hint: "gssl serve --allow-origin names origins whose pages may ask" }),
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
