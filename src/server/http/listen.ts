import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { UserError } from "../../platform/errors.js";
import { codeOf } from "../../platform/files.js";
import type { Env } from "./secure.js";
import type { Timeouts } from "./timeouts.js";

/** More are not accepted. */
const MOST_CONNECTIONS = 1024;
/** Milliseconds between two looks for requests that take too long. */
const CHECK_EVERY = 1000;
/** A connection on which nothing moves for so much longer than an answer takes is closed. */
const SLACK = 30_000;
/** Milliseconds that a connection is kept between two requests: longer than proxies keep theirs, or a request of theirs meets a closing one. */
const KEEP_ALIVE = 65_000;
/** Milliseconds for answers to leave once they are all made. */
const LAST_BYTES = 2000;

interface Listening {
  readonly url: string;
  /** Accept no more connections. */
  stop(): void;
  /** Resolves when the last answer has left; those that no client reads are cut off. */
  closed(): Promise<void>;
}

/** Listen. Node itself answers 408 to requests that arrive too slowly. */
export async function listen(
  app: Hono<Env>,
  { host, port, timeouts }: { readonly host: string; readonly port: number; readonly timeouts: Timeouts },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      keepAliveTimeout: KEEP_ALIVE,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: Math.min(CHECK_EVERY, timeouts.headers),
    },
  }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(timeouts.request + timeouts.answer + SLACK);
  server.listen(port, host);
  await once(server, "listening").catch((cause: unknown) => {
    throw refused(host, port, cause);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(address.address) ? `[${address.address}]` : address.address}:${address.port}`,
    stop() {
      server.close();
      server.closeIdleConnections();
    },
    async closed() {
      const timer = setTimeout(() => server.closeAllConnections(), LAST_BYTES);
      while (server.listening || (await connections(server)) > 0) {
        server.closeIdleConnections();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      clearTimeout(timer);
    },
  };
}

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));

function refused(host: string, port: number, cause: unknown): UserError {
  const code = codeOf(cause);
  if (code === "EADDRINUSE") {
    return new UserError(`port ${port} of ${host} is taken`, {
      hint: "another server runs there; --port 0 takes a free one",
      cause,
    });
  }
  return new UserError(`cannot listen on ${host}, port ${port} (${code})`, {
    hint: code === "EACCES" ? "ports below 1024 need rights; choose another" : "is it an address of this machine?",
    cause,
  });
}
