import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { drawScene, type Scene } from "./drawScene.js";
import { openScenePool } from "./sceneJobs.js";
import { checkSpec } from "./spec.js";

// Threads are started from JavaScript, so this file tests the build (see test/build.ts).
const built: typeof import("./sceneJobs.js") = await import(
  pathToFileURL(resolve("dist/data/scenes/sceneJobs.js")).href
);

const spec = checkSpec({ domain: "town", split: "test", count: 9, height: 64, width: 128 });
const jobs = Array.from({ length: spec.count }, (_, index) => ({ spec, index }));

const print = ({ id, rgb, labels }: Scene): string =>
  `${id} ${createHash("sha256").update(rgb).update(labels!).digest("hex")}`;
const wanted = jobs.map(({ index }) => print(drawScene(spec, index)));

async function drawAll(pool: ReturnType<typeof openScenePool>): Promise<string[]> {
  const prints: string[] = [];
  for await (const scene of pool.results(jobs)) prints.push(print(scene));
  await pool.close();
  return prints;
}

test.each([1, 3])("%i threads draw the same bytes as none, in the order of the jobs", async (threads) => {
  expect(await drawAll(built.openScenePool(threads))).toEqual(wanted);
});

test("an error while drawing reaches the caller", async () => {
  const pool = built.openScenePool(1);
  const nowhere = { ...spec, domain: "moon" } as unknown as typeof spec;
  await expect(pool.submit({ spec: nowhere, index: 0 }).result()).rejects.toThrow();
  await pool.close();
});

test("run from TypeScript, scenes are drawn on this thread", async () => {
  expect(await drawAll(openScenePool())).toEqual(wanted);
});
