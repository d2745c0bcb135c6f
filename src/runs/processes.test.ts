import { expect, test } from "vitest";
import { comparePlaces, isAlive, processOf } from "./processes.js";

test("a process is told from a later one of its number, with /proc and without", async () => {
  for (const proc of ["/proc", "/nowhere"]) {
    const [own, first] = [await processOf(process.pid, proc), await processOf(1, proc)];
    expect(own.born).not.toBe("");
    expect(await isAlive(own, proc)).toBe(true);
    expect(await isAlive({ pid: process.pid, born: first.born }, proc)).toBe(false);
  }
});

test("places are the same, over since a machine was started again, or elsewhere", () => {
  const here = { host: "a", boot: "1763400000", namespace: "pid:[1]" };
  expect(comparePlaces({ ...here, boot: "1763400020" }, here)).toBe("same");
  expect(comparePlaces({ ...here, boot: "1763300000" }, here)).toBe("over");
  expect(comparePlaces({ ...here, boot: "9e1c" }, { ...here, boot: "5a7f" })).toBe("over");
  expect(comparePlaces({ ...here, namespace: "pid:[2]" }, here)).toBe("elsewhere");
  expect(comparePlaces({ ...here, host: "b", boot: "1763300000" }, here)).toBe("elsewhere");
});
