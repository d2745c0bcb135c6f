import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawScene, type Scene } from "./drawScene.js";
import { checkSpec } from "./spec.js";
import { openStudio, type Studio } from "./studio.js";

const spec = checkSpec({ domain: "town", split: "test", count: 9, height: 64, width: 128 });
const indices = Array.from({ length: spec.count }, (_, index) => index);

// A thread cannot start from TypeScript, so the studio is built first, as a package would be.
let folder = "";
let built: typeof openStudio;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "studio-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const input = { studio: "src/data/scenes/studio.ts", studioWorker: "src/data/scenes/studioWorker.ts" };
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { input, output: { entryFileNames: "[name].js" } },
    },
  });
  const module: { openStudio: typeof openStudio } = await import(pathToFileURL(join(folder, "studio.js")).href);
  built = module.openStudio;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function print({ id, rgb, labels }: Scene): string {
  return `${id} ${createHash("sha256").update(rgb).update(labels!).digest("hex")}`;
}
const wanted = indices.map((index) => print(drawScene(spec, index)));

async function drawAll(studio: Studio): Promise<string[]> {
  try {
    return (await Promise.all(indices.map((index) => studio.draw(spec, index)))).map(print);
  } finally {
    await studio.close();
  }
}

test.each([1, 3])("%i threads draw the same bytes as none, in the order asked for", async (threads) => {
  expect(await drawAll(built(threads))).toEqual(wanted);
});

test("what goes wrong on a thread is told to whoever asked", async () => {
  const studio = built(1);
  const nowhere = { ...spec, domain: "moon" } as unknown as typeof spec;
  await expect(studio.draw(nowhere, 0)).rejects.toThrow();
  await studio.close();
});

test("run from TypeScript, the studio draws on this thread", async () => {
  expect(await drawAll(openStudio())).toEqual(wanted);
});
