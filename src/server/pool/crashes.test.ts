import { expect, test } from "vitest";
import { Crashes } from "./crashes.js";

test("the first crashes cost no wait, the fifth within a minute is one too many, and a quiet minute forgives all", () => {
  let now = 0;
  const crashes = new Crashes(() => now);
  const delays: number[] = [];
  for (let i = 0; i < 12; i++) {
    crashes.add();
    delays.push(crashes.delay);
    expect(crashes.tooMany).toBe(i >= 4);
    now += 1000;
  }
  expect(delays).toEqual([0, 0, 0, 0, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]);
  now += 60_000;
  expect([crashes.recent, crashes.delay, crashes.tooMany]).toEqual([0, 0, false]);
});
