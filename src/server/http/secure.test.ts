import { Hono } from "hono";
import { expect, test } from "vitest";
import { type Env, type Secured, secure } from "./secure.js";

const TOKEN = "0123456789abcdef0123";
const usual = { host: "127.0.0.1", token: TOKEN, open: ["/health"], onNote: () => {}, stopping: () => false };

function asking(served: Partial<Secured> = {}) {
  const app = new Hono<Env>();
  secure(app, { ...usual, ...served });
  app.get("/health", (c) => c.json({ authorized: c.get("authorized") }));
  app.all("/what", (c) => c.json({ authorized: c.get("authorized") }));
  return async (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    app.request(path, { method, headers: { host: "localhost:8000", ...headers } }, { incoming: { url: path } });
}
const ask = asking();
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, basic(`me:${TOKEN}`), basic(`:${TOKEN}`)])(
  "the token is a bearer token or the password of anybody: %s",
  async (authorization) => {
    const answer = await ask("/what", { authorization });
    expect([answer.status, await answer.json()]).toEqual([200, { authorized: true }]);
    expect(await (await ask("/health", { authorization })).json()).toEqual({ authorized: true });
  },
);

test.each([
  ...["", TOKEN, "Bearer", "Bearer ", `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Digest ${TOKEN}`],
  ...[basic("me:no"), basic(TOKEN), basic(`${TOKEN}:`), "Basic !"],
])('without the token there is nothing but what is open, and that knows it: "%s"', async (authorization) => {
  const answer = await ask("/what", { authorization });
  expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ error: "a token is needed" })]);
  expect(answer.headers.get("www-authenticate")).toContain("Basic");
  expect((await ask("/elsewhere", { authorization })).status).toBe(401);
  const open = await ask("/health", { authorization });
  expect([open.status, await open.json()]).toEqual([200, { authorized: false }]);
});

test("every answer has headers that keep browsers from guessing, framing and telling; none speaks for the whole domain", async () => {
  for (const path of ["/health", "/what", "/elsewhere"]) {
    const { headers } = await ask(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("strict-transport-security")).toBe(false);
  }
});

const origin = "https://example.com";
const preflight = {
  origin,
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization",
};
const allowed = ({ headers }: Response): string[] => [...headers.keys()].filter((name) => name.includes("allow-"));

test("other origins are rejected by default, and a preflight too", async () => {
  for (const answer of [await ask("/what", { origin }), await ask("/what", preflight, "OPTIONS")]) {
    expect([answer.status, allowed(answer)]).toEqual([403, []]);
    expect((await answer.json()).error).toBe("cross-origin request rejected");
  }
});

test("a preflight of an origin that was named needs no token; the request after it does", async () => {
  const ask = asking({ allowOrigins: [origin, "http://localhost:5173"] });
  const first = await ask("/what", preflight, "OPTIONS");
  expect([first.status, first.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
  expect(first.headers.get("access-control-allow-methods")).toBe("GET,POST");
  expect(first.headers.get("access-control-allow-headers")).toContain("Authorization");
  expect(first.headers.get("vary")).toContain("Origin");
  const bare = await ask("/what", { origin });
  expect([bare.status, bare.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
  const answer = await ask("/what", { origin, authorization: `Bearer ${TOKEN}` });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  expect(answer.headers.get("access-control-expose-headers")).toContain("Gssl-Uncertainty-Step");
  // Cookies and passwords that a browser remembers stay with our own page.
  expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  const other = await ask("/what", { ...preflight, origin: "https://evil.example" }, "OPTIONS");
  expect([other.status, allowed(other)]).toEqual([403, []]);
});

test("* lets pages of every origin ask", async () => {
  const ask = asking({ token: undefined, allowOrigins: ["*"] });
  const answer = await ask("/what", { origin: "null" });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
});
