import { expect, test } from "vitest";
import { SiteAnswers } from "./site.js";

const file = (text: string, type: string) => ({ type, bytes: Buffer.from(text) });
const site = new SiteAnswers();
site.set(
  new Map([
    ["index.html", file("<!doctype html>", "text/html; charset=utf-8")],
    ["assets/main.js", file("1", "text/javascript")],
  ]),
);

test("files are found by their exact path and nothing else is", () => {
  expect(["/", "/index.html", "/assets/main.js"].map((path) => site.has(path))).toEqual([true, true, true]);
  for (const path of [
    "",
    "/assets",
    "/assets/",
    "//index.html",
    "/assets/../index.html",
    "/INDEX.html",
    "/index.html/",
  ])
    expect(site.has(path)).toBe(false);
});

test("answers have a type, a tag, a policy, and isolate the page so that it may share memory between threads", async () => {
  const { status, headers } = site.answer("/assets/main.js", undefined);
  expect([status, headers.get("content-type")]).toEqual([200, "text/javascript"]);
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
  expect(headers.get("content-security-policy")).not.toContain("unsafe-inline");
  const tag = headers.get("etag")!;
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`])
    expect(site.answer("/assets/main.js", known).status).toBe(304);
  expect(site.answer("/assets/main.js", '"other"').status).toBe(200);
  expect(site.answer("/", tag).status).toBe(200);
  expect(await site.answer("/", undefined).text()).toBe("<!doctype html>");
});
