import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { bearerAuth } from "hono/bearer-auth";
import { some } from "hono/combine";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { timingSafeEqual } from "hono/utils/buffer";
import { UserError } from "../../platform/errors.js";
import { errorAnswer } from "./errorAnswer.js";
import { guard } from "./guard.js";
import { ServingError } from "./servingError.js";

/** What every server of ours needs to know to reject unauthorised requests. */
export interface Secured {
  /** Address it listens on. */
  readonly host: string;
  readonly token: string | undefined;
  /** Origins besides its own whose pages may ask, or "*"; none when left out. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Addresses that take no token: their answers tell nothing, unless the request is `authorized`. */
  readonly open?: readonly string[];
  /** Called with errors that are our own. */
  onNote(message: string): void;
  /** Whether the server takes no new connections any more. */
  stopping(): boolean;
}

/** What our routes are given. */
export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly authorized: boolean };
}

/** Headers of a request that pages of other origins may set, and headers of an answer that they may read. */
const headers = {
  allowHeaders: ["Authorization", "Content-Type", "Inference-Header-Content-Length"],
  exposeHeaders: [
    ...["Gssl-Model", "Gssl-Gamma", "Gssl-Certain-Share", "Gssl-Uncertainty-Least", "Gssl-Uncertainty-Step"],
    ...["Inference-Header-Content-Length", "Retry-After"],
  ],
};
/** Seconds for which a browser remembers what it may ask. */
const PREFLIGHT_HOLDS = 600;

/** Headers of every answer, who may ask, and what an error says. Before any route. */
export function secure(app: Hono<Env>, served: Secured): void {
  const { token, allowOrigins = [], open = [] } = served;
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
    if (served.stopping()) c.res.headers.set("Connection", "close");
  });
  // Whether a name is reached by TLS alone is for the proxy to say that has the certificate.
  app.use(secureHeaders({ strictTransportSecurity: false }));
  app.use(async (c, next) => {
    const [host, origin] = [c.req.header("host"), c.req.header("origin")];
    guard({ target: c.env.incoming.url ?? "", host, origin }, served);
    await next();
  });
  if (allowOrigins.length > 0) {
    const origin = allowOrigins.includes("*") ? "*" : [...allowOrigins];
    app.use(cors({ origin, allowMethods: ["GET", "POST"], ...headers, maxAge: PREFLIGHT_HOLDS }));
  }
  app.use(async (c, next) => {
    c.set("authorized", token === undefined);
    await next();
  });
  if (token !== undefined) {
    const verify = async (given: string, c: Context): Promise<boolean> => {
      const right = await timingSafeEqual(given, token);
      c.set("authorized", right);
      return right;
    };
    const bearer = bearerAuth({ verifyToken: verify });
    const basic = basicAuth({ verifyUser: (_, password, c) => verify(password, c) });
    app.use(
      some(bearer, basic, async (c, next) => {
        if (open.includes(c.req.path)) return next();
        throw new ServingError(401, "a token is needed", {
          hint: "Authorization: Bearer <token>; in a browser, as the password of any user",
          headers: { "WWW-Authenticate": 'Basic realm="gssl", charset="UTF-8"' },
        });
      }),
    );
  }
  app.onError((error) => {
    if (!(error instanceof UserError) && error.name !== "AbortError") served.onNote(`failed: ${error.stack}`);
    return errorAnswer(error);
  });
}
