import { expect, test } from "vitest";
import { ProgramCache } from "./programCache.js";
import type { Program } from "./runtime.js";

/** Programs that note when they are compiled and closed. */
function counted() {
  const [compiled, open]: [string[], Set<string>] = [[], new Set()];
  const compile =
    (name: string, run: Program["run"] = async () => ({})) =>
    async (): Promise<Program> => {
      compiled.push(name);
      open.add(name);
      return { run, close: async () => void open.delete(name) };
    };
  return { compiled, open, compile };
}

test("a hundred sizes never keep more programs open than allowed, and those in use again are not compiled again", async () => {
  const { compiled, open, compile } = counted();
  const cache = new ProgramCache(3);
  for (let size = 0; size < 100; size++) {
    for (const key of ["common", String(size)]) await cache.run(key, compile(key), () => ({}));
    expect(open.size).toBeLessThanOrEqual(3);
  }
  expect(compiled.filter((key) => key === "common")).toHaveLength(1);
  await cache.close();
  expect(open.size).toBe(0);
});

test("a program that is running is not closed", async () => {
  const { open, compile } = counted();
  const cache = new ProgramCache(1);
  let finish = (): void => {};
  const slow = cache.run(
    "slow",
    compile("slow", () => new Promise((resolve) => (finish = () => resolve({})))),
    () => ({}),
  );
  await cache.run("other", compile("other"), () => ({}));
  expect(open.has("slow")).toBe(true);
  finish();
  await slow;
  await cache.run("third", compile("third"), () => ({}));
  expect([...open]).toEqual(["third"]);
  await cache.close();
});

test("a program that cannot be compiled is tried again", async () => {
  const cache = new ProgramCache();
  await expect(
    cache.run(
      "a",
      () => Promise.reject(new Error("no memory")),
      () => ({}),
    ),
  ).rejects.toThrow("no memory");
  expect(await cache.run("a", counted().compile("a"), () => ({}))).toEqual({});
  await cache.close();
});
