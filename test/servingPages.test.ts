import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunningServer } from "../src/index.js";
import { exportedModel } from "./exportedModel.js";
import { testImage } from "./folders.js";
import { inChromium, launch, visited, withoutChromium } from "./inChromium.js";
import { serve } from "./serverProcess.js";
import { served } from "./staticServer.js";

const TOKEN = "0123456789abcdef0123";
let root: string;
let pages: Server;
let origin: string;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  if (withoutChromium !== false) return;
  root = await mkdtemp(join(tmpdir(), "serving-pages-"));
  await writeFile(join(root, "tiny.onnx"), await exportedModel());
  await writeFile(join(root, "index.html"), "<!doctype html><title>another site</title><input type=file>");
  await writeFile(join(root, "image.jpg"), await testImage(96, 64, 3).jpeg().toBuffer());
  pages = await served(root);
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const options = { port: 0, processes: 1, threads: 1, token: TOKEN, allowOrigins: [origin] };
  server = await serve([join(root, "tiny.onnx")], options);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  pages?.close();
  if (root) await rm(root, { recursive: true, force: true });
});

/** The example of docs/serving.md, as it stands there but for the address, run by a page with a file in its input. */
async function example(from: string): Promise<unknown> {
  const [, code] = /^```js\n([\s\S]*?)^```$/m.exec(await readFile("docs/serving.md", "utf8"))!;
  const { page, context } = await visited(browser, from);
  await page.setInputFiles("input", join(root, "image.jpg"));
  const body = code!.replace("http://localhost:8000", server.url);
  const ran = `(async () => {
    const [input, token] = [document.querySelector("input"), ${JSON.stringify(TOKEN)}];
    ${body}
    return { certainShare, names: classes.map(({ name }) => name) };
  })().catch((error) => error.message)`;
  return page.evaluate(ran).finally(() => context.close());
}

inChromium("a page of an origin that was named sends an image with the token, and reads the answer", async () => {
  expect(await example(`${origin}/`)).toEqual({ certainShare: expect.any(Number), names: expect.any(Array) });
});

inChromium("a page of any other origin reads nothing", async () => {
  expect(await example(`${origin.replace("127.0.0.1", "localhost")}/`)).toBe("Failed to fetch");
});
