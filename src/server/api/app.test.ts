import { expect, test } from "vitest";
import { BodyBudget } from "../http/readBody.js";
import { SiteAnswers } from "../http/site.js";
import { makeApp } from "./app.js";
import { Metrics } from "./metrics.js";
import { openapi, paths } from "./openapi.js";

const app = makeApp({
  ...{ host: "127.0.0.1", token: undefined, models: new Map(), metrics: new Metrics(() => []) },
  site: new SiteAnswers(),
  body: { most: 1, budget: new BodyBudget(1) },
  onNote: () => {},
  stopping: () => false,
});

test("S4: the routes are these: none takes files, changes a model, runs a command or fetches an address", () => {
  const routes = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect(routes).toMatchInlineSnapshot(`
    [
      "POST /v1/segment",
      "POST /v2/models/:model/infer",
      "GET /v2",
      "GET /v2/",
      "GET /v2/models/:model",
      "GET /v2/models/:model/ready",
      "GET /v2/health/live",
      "GET /v2/health/ready",
      "GET /metrics",
      "GET /openapi.json",
      "GET /docs",
      "GET /",
    ]
  `);
});

test("the document for machines has every route but aliases, and every name that it refers to", () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/, ":$1")}`),
  );
  const routed = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect(routed.filter((one) => one !== "GET /" && one !== "GET /v2/").sort()).toEqual(documented.sort());
  const text = JSON.stringify(openapi());
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !(name in openapi().components.schemas))).toEqual([]);
});
