import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctSlug, slug } from "./slug.js";

test("a data set's spec becomes a readable folder name", () => {
  expect(slug("scenes:town?split=test&count=200&seed=1")).toBe("scenes-town-split-test-count-200-seed-1");
  expect(slug("γ-SSL")).toBe("γ-SSL");
});

test("no name leads out of the folder, is hidden, empty or endless", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "..",
      "../../etc/passwd",
      "/",
      "\\",
      ".hidden",
      "a\0b",
      "",
      "x".repeat(500),
      "街".repeat(90),
      "𠀀".repeat(90),
      "C:\\x",
      "%2e%2e%2f",
    ),
  );
  fc.assert(
    fc.property(nasty, (name) => {
      expect(slug(name)).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u);
      expect(slug(name)).not.toContain("..");
      expect(Buffer.byteLength(slug(name))).toBeLessThanOrEqual(100);
    }),
  );
});

test("names that fall together are numbered", () => {
  const taken = new Set<string>();
  expect(["a/b", "a-b", "A:b"].map((name) => distinctSlug(name, taken))).toEqual(["a-b", "a-b-2", "A-b-3"]);
});
