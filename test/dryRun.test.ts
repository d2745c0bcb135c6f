import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { typed } from "../src/cli/terminal/testing/typed.js";
import { fakeRun } from "./fakeRun.js";
import { tinyTraining } from "./trainProcess.js";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "dry-run-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("train --dry-run checks data, times steps of every stage, prints plan and cost, and leaves no folder", async () => {
  const to = join(root, "run");
  const words = ["train", ...tinyTraining, "--cache", join(root, "cache"), "--to", to, "--dry-run"];
  const { out, code } = await typed(...words, "--steps", "40");
  expect(out).toMatch(/^stage 1 of 1: supervised, 40 steps of 2 images, \d+(\.\d+)? m?s each: /m);
  expect(out).toMatch(/^together 40 steps in about .*, \d+\.\d\d GB of memory$/m);
  expect(out).toMatch(/^disk: about 0\.\d\d GB in .*, \d+\.\d\d GB free$/m);
  expect(out).toMatch(/nothing was trained or written\n$/);
  expect([code, existsSync(to)]).toEqual([0, false]);
  await expect(typed(...words, "--validate", "folder:nowhere")).rejects.toThrow("nowhere");
  await expect(typed(...words, "--nodes")).rejects.toThrow("--nodes counts what a device leaves to the CPU");
}, 240_000);

test("evaluate --dry-run says what would be measured and which networks trained first, and writes nothing", async () => {
  const run = join(root, "fake");
  await fakeRun(run, "scenes:city?split=train&count=2&height=32&width=64");
  await writeFile(join(run, "mark"), "");
  const before = await readdir(run, { recursive: true });
  const words = ["evaluate", run, "--cache", join(root, "cache"), "--select", "fixed", "--dry-run"];
  const on = ["--on", "scenes:town?split=test&count=3&height=32&width=64"];
  const { out } = await typed(...words, ...on, "--methods", "max-softmax,dum");
  expect(out).toMatch(/^scenes:town\?.*: 3 images$/m);
  expect(out).toMatch(/^fake: dum, max-softmax$|^fake: max-softmax, dum$/m);
  expect(out).toMatch(/^to train first: \S+ \(\d+ steps\)$/m);
  expect(await readdir(run, { recursive: true })).toEqual(before);
}, 240_000);
