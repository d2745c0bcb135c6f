import { expect, test } from "vitest";
import { csv } from "./csv.js";

test("numbers and plain text stay as they are, null is empty", () => {
  expect(
    csv([
      ["image", "n"],
      ["town-1", -0.5],
      ["town-2", null],
    ]),
  ).toBe("image,n\ntown-1,-0.5\ntown-2,\n");
});

test("text that a spreadsheet would run is quoted and marked as text", () => {
  for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]) {
    expect(csv([[formula]])).toBe(`"'${formula}"\n`);
  }
});

test("commas, quotes and line ends are quoted", () => {
  expect(csv([['a "b", c', "d\ne"]])).toBe('"a ""b"", c","d\ne"\n');
});
