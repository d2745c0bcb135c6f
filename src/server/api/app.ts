import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { errorAnswer } from "../http/errorAnswer.js";
import { type BodyBudget, withBody } from "../http/readBody.js";
import { type Env, type Secured, secure } from "../http/secure.js";
import { ServingError } from "../http/servingError.js";
import type { SiteAnswers } from "../http/site.js";
import type { ModelPool } from "../pool/modelPool.js";
import type { Job } from "../process/job.js";
import { apiPage } from "./apiPage.js";
import { modelMetadata, serverMetadata } from "./metadata.js";
import type { Metrics } from "./metrics.js";
import { openapi, paths } from "./openapi.js";
import { segmentRequest } from "./segmentRequest.js";

/** What the routes need. */
export interface AppParts extends Secured {
  /** The first is the one that is meant where a request names none. */
  readonly models: ReadonlyMap<string, ModelPool>;
  readonly metrics: Metrics;
  readonly site: SiteAnswers;
  readonly body: { readonly most: number; readonly budget: BodyBudget };
}

type Asked = Context<Env>;

/** The HTTP side: finds the model of a request, reads its body within bounds, and passes on what a process answers. */
export function makeApp(parts: AppParts): Hono<Env> {
  const { models, metrics, site } = parts;
  const app = new Hono<Env>({ strict: true });

  app.use(async (c, next) => {
    const begun = performance.now();
    await next();
    const route = routes.has(routePath(c, -1)) ? routePath(c, -1) : "other";
    metrics.requests.inc({ route, status: c.res.status });
    metrics.seconds.observe({ route }, (performance.now() - begun) / 1000);
  });
  secure(app, { ...parts, open: health });

  const modelOf = (name: string): ModelPool => {
    const found = models.get(name);
    if (found === undefined)
      throw new ServingError(404, "there is no such model", { hint: "the page /docs lists them" });
    return found;
  };
  const compute = async (c: Asked, pool: ModelPool, job: (body: Buffer) => Job): Promise<Response> => {
    pool.requireRoom();
    const { signal } = c.req.raw;
    const { type, headers, body } = await withBody(c.env.incoming, parts.body, (received) =>
      pool.submit(job(received), signal),
    );
    return new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...headers, "Content-Type": type } });
  };

  app.post("/v1/segment", (c) => {
    const { model, ...asked } = segmentRequest(c.req.queries(), c.req.header());
    const pool = model === undefined ? models.values().next().value! : modelOf(model);
    return compute(c, pool, (body) => ({ kind: "segment", body, ...asked }));
  });
  app.post("/v2/models/:model/infer", (c) => {
    const pool = modelOf(c.req.param("model"));
    const jsonBytes = lengthOf(c.req.header("inference-header-content-length"));
    return compute(c, pool, (body) => ({ kind: "infer", body, jsonBytes }));
  });

  for (const path of ["/v2", "/v2/"]) app.get(path, (c) => c.json(serverMetadata()));
  app.get("/v2/models/:model", (c) => c.json(modelMetadata(modelOf(c.req.param("model")).model)));
  app.get("/v2/models/:model/ready", (c) => {
    const { model, notReady } = modelOf(c.req.param("model"));
    const { name } = model;
    if (notReady === undefined) return c.json({ name, ready: true });
    return c.json({ name, ready: false, error: notReady }, 503);
  });
  app.get("/v2/health/live", (c) => c.json({ live: true }));
  app.get("/v2/health/ready", (c) => {
    const reasons = [...models].flatMap(([name, { notReady }]) =>
      notReady === undefined ? [] : [`${name}: ${notReady}`],
    );
    if (reasons.length === 0) return c.json({ live: true, ready: true });
    const error = c.get("authorized") ? reasons.join("; ") : "a model is not ready; with the token, this says which";
    return c.json({ live: true, ready: false, error }, 503);
  });

  app.get("/metrics", async (c) => c.body(await metrics.text(), 200, { "Content-Type": metrics.type }));
  app.get("/openapi.json", (c) => c.json(openapi()));
  const page = (c: Asked) => {
    const rows = [...models.values()].map(({ model: { name, description } }) => ({ name, method: description.method }));
    return c.html(apiPage(rows, c.req.header("host") ?? "localhost"), 200, {
      "Content-Security-Policy": "frame-ancestors 'none'",
    });
  };
  app.get("/docs", page);
  app.get("/", (c) => (site.has("/") ? site.answer("/", c.req.header("if-none-match")) : page(c)));

  for (const [path, methods] of Object.entries(paths)) {
    const allowed = Object.keys(methods).map((method) => method.toUpperCase());
    app.all(routeOf(path), () => {
      throw new ServingError(405, `this address takes ${allowed.join(", ")}`, {
        headers: { Allow: allowed.join(", ") },
      });
    });
  }
  app.notFound((c) => {
    const asked = c.req.method === "GET" || c.req.method === "HEAD";
    if (asked && site.has(c.req.path)) return site.answer(c.req.path, c.req.header("if-none-match"));
    return errorAnswer(
      new ServingError(404, "there is nothing at this address", { hint: "the page /docs lists what is" }),
    );
  });
  return app;
}

/** Probes of an orchestrator have no token. */
const health = ["/v2/health/live", "/v2/health/ready"];

/** "/v2/models/:model" of "/v2/models/{model}" */
const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Routes by which requests are counted. */
const routes = new Set(Object.keys(paths).map(routeOf));

function lengthOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,12}$/.test(header)) return Number(header);
  throw new ServingError(400, "Inference-Header-Content-Length is not a whole number");
}
