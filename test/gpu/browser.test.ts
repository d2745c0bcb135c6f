import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeRuntime } from "../../src/engine/runtime/node.js";
import { runtimeFolder } from "../../src/viewer/manifest.js";
import { served } from "../staticServer.js";
import { apart, lossesOf, type TrainingName } from "./trainings.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

/** One of each kind: every further one would compile shaders that Node's tests have, too. */
const names: readonly TrainingName[] = ["a supervised DeepLabV3+", "γ-SSL as in `small`"];

describe.skipIf(!existsSync(CHROMIUM))("in chromium, onnxruntime-web on WebGPU (SwiftShader)", () => {
  let root: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "tab-"));
    await build({
      configFile: false,
      logLevel: "error",
      build: { lib: { entry: resolve("test/gpu/page.ts"), formats: ["es"], fileName: "page" }, outDir: root },
    });
    await writeFile(join(root, "index.html"), '<!doctype html><script type="module" src="page.js"></script>');
    await symlink(resolve("dist/viewer/page", runtimeFolder), join(root, "ort"));
    server = await served(root);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", ...GPU] });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction("'train' in globalThis");
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await rm(root, { recursive: true, force: true });
  });

  test.each(names)(
    "five steps of %s have the losses of the CPU to 1e-3, with their state in buffers of the GPU",
    async (name) => {
      const found = (await page.evaluate(`train(${JSON.stringify(name)})`)) as Awaited<ReturnType<typeof lossesOf>>;
      const wanted = await lossesOf(nodeRuntime(), name);
      expect(apart(found.losses, wanted.losses)).toBeLessThan(1e-3);
      expect(found.movedBytes).toBeLessThan(wanted.movedBytes / 2);
    },
  );
});
