import { expect, test } from "vitest";
import { cancellable, eachOnce } from "./watching.js";

test("a message is told once, others as they come", () => {
  const told: string[] = [];
  const tell = eachOnce((message) => told.push(message));
  for (const message of ["a", "b", "a", "c", "b"]) tell(message);
  expect(told).toEqual(["a", "b", "c"]);
  expect(() => eachOnce(undefined)("a")).not.toThrow();
});

test("whatever reports progress ends with the reason it was cancelled for", () => {
  const control = new AbortController();
  const seen: string[] = [];
  const report = cancellable({
    onProgress: (what, done, total) => seen.push(`${what} ${done}/${total}`),
    signal: control.signal,
  });
  report("reading", 1, 2);
  control.abort(new Error("enough"));
  expect(() => report("reading", 2, 2)).toThrow("enough");
  expect(seen).toEqual(["reading 1/2"]);
});
