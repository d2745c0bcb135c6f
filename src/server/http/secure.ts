import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { UserError } from "../../platform/errors.js";
import { errorAnswer } from "./errorAnswer.js";
import { guard } from "./guard.js";

/** What every server of ours needs to know to refuse strangers. */
export interface Secured {
  /** Address it listens on. */
  readonly host: string;
  readonly token: string | undefined;
  /** Called with errors that are our own. */
  onNote(message: string): void;
  /** Whether the server takes no new connections any more. */
  stopping(): boolean;
}

const common = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** Headers of every answer, who may ask, and what an error says. Before any route. */
export function secure(app: Hono<{ Bindings: HttpBindings }>, served: Secured): void {
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(common)) c.res.headers.set(name, value);
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
    if (served.stopping()) c.res.headers.set("Connection", "close");
  });
  app.use(async (c, next) => {
    const [host, origin, authorization] = ["host", "origin", "authorization"].map((name) => c.req.header(name));
    guard({ path: c.req.path, target: c.env.incoming.url ?? "", host, origin, authorization }, served);
    await next();
  });
  app.onError((error) => {
    if (!(error instanceof UserError) && error.name !== "AbortError") served.onNote(`failed: ${error.stack}`);
    return errorAnswer(error);
  });
}
