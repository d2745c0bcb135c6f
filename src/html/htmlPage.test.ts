import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { palette } from "../report/palette.js";
import { htmlPage } from "./htmlPage.js";
import { type PageName, pages, pagesFolder } from "./pages.js";

const names = Object.keys(pages) as PageName[];
const scripted = names.filter((name) => name !== "api");
const parts = (html: string, tag: "style" | "script"): string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "gs"))].map(([, text]) => text!);

test("Vite builds a style of every page, a script of each that has one, and nothing that they share", async () => {
  const wanted = [...names.map((name) => `${name}.css`), ...scripted.map((name) => `${name}.js`)];
  expect((await readdir(pagesFolder)).toSorted()).toEqual(wanted.toSorted());
  for (const name of wanted) {
    const text = await readFile(`${pagesFolder}/${name}`, "utf8");
    expect(text).not.toMatch(/\bimport\b|\bexport\b|url\(|<\/(script|style)/);
  }
});

test("a page holds its style and script, and its policy lets these alone run", () => {
  for (const name of scripted) {
    const html = htmlPage({ title: "<a>", style: name, script: name, images: "inside", body: "<p>here</p>" });
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)![1]!;
    const allowed = [...parts(html, "style"), ...parts(html, "script")];
    expect(allowed).toHaveLength(2);
    expect(allowed.every((text) => text.length > 300)).toBe(true);
    const hashes = allowed.map((text) => createHash("sha256").update(text).digest("base64"));
    expect([...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash)).toEqual(hashes);
    expect(policy).toMatch(/^default-src 'none'; img-src data:; /);
    expect(html).toContain("<title>&#60;a&#62;</title>");
  }
});

test("a page without a script has no script element", () => {
  const html = htmlPage({ title: "api", style: "api", images: "beside", body: "" });
  expect(parts(html, "script")).toEqual([]);
  expect(html).toContain("script-src 'none'");
});

test("plots in a page have the colours of plots in files", async () => {
  const css = await readFile("src/html/plots.css", "utf8");
  expect([.../^:root \{(.*)\}$/m.exec(css)![1]!.matchAll(/#\w+/g)].map(String)).toEqual([...palette]);
});
