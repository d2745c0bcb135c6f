import fc from "fast-check";
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

/** A reader of its own, by the rules of RFC 4180. */
function read(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("whatever text goes in comes out again, apart from the apostrophe", () => {
  const cell = fc.string({ unit: "binary", maxLength: 12 });
  const nasty = fc.array(fc.constantFrom("=", "+", "-", "@", '"', ",", "\n", "\r", "'", "a"), { maxLength: 8 });
  const cells = fc.array(
    fc.oneof(
      cell,
      nasty.map((parts) => parts.join("")),
    ),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(cells, (row) => {
      const [back] = read(csv([row]));
      expect(back!.map((text, i) => (text === `'${row[i]}` ? row[i] : text))).toEqual(row);
    }),
    { numRuns: 2000 },
  );
});
