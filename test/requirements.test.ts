import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = "docs/requirements.md";
const SELF = "test/requirements.test.ts";

/** A line of docs/requirements.md. */
interface Requirement {
  readonly id: string;
  readonly where: string;
}

/** Rows of the tables that define requirements: | id | requirement | where |. */
const requirements: readonly Requirement[] = readFileSync(PAGE, "utf8")
  .split("\n")
  .map((line) => /^\| ([A-Z]+-\d+) \| .+ \| ([^|]+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, id, where]) => ({ id: id!, where: where! }));

const defined = new Set(requirements.map(({ id }) => id));
const prefixes = [...new Set([...defined].map((id) => id.replace(/-\d+$/, "")))].sort();

/**
 * An id that stands by itself: a known prefix that no letter, digit or hyphen comes before, and a number that no letter, digit or
 * decimal comes after. So UTF-8, SHA-256, MCD-8 and 1E-5 are none. Of a range, "A-4 to A-6", both ends are found.
 */
const reference = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${prefixes.join("|")})-\\d+(?![\\p{L}\\p{N}_]|\\.\\d)`, "gu");

const below = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** Everything that may cite a requirement. */
const files = [
  ...below("src", ".ts"),
  ...below("test", ".ts").filter((file) => file !== SELF),
  ...below("docs", ".md"),
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
];

test("requirements are defined once, in the order of their numbers", () => {
  expect(prefixes).toEqual("A AB B C D E G H L M N P R T TM Z".split(" "));
  for (const prefix of prefixes) {
    const numbers = requirements
      .filter(({ id }) => id.startsWith(`${prefix}-`))
      .map(({ id }) => Number(id.split("-")[1]));
    const first = prefix === "B" ? 0 : 1;
    expect(numbers, prefix).toEqual(numbers.map((_, i) => first + i));
  }
});

test("only ids are taken for ids", () => {
  const text = "P-1, (AB-1 to AB-11), D-3. UTF-8, SHA-256, AVX-512, MCD-8, ResNet-18, 1E-5, E-5.2, T-1x, x-P-1, γP-1";
  expect(text.match(reference)).toEqual(["P-1", "AB-1", "AB-11", "D-3"]);
});

test("every id that code, tests and documents cite is defined in docs/requirements.md", () => {
  const cited = files.flatMap((file) =>
    [...new Set(readFileSync(file, "utf8").match(reference))].map((id) => ({ file, id })),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ id }) => !defined.has(id)).map(({ file, id }) => `${id} in ${file}`)).toEqual([]);
});

test("every requirement says where it is held, in files that exist", () => {
  const wrong = requirements.flatMap(({ id, where }) => {
    if (where === "not yet" || where === "–") return [];
    const paths = where.split(", ").map((part) => /^`([^`]+)`$/.exec(part)?.[1] ?? "");
    return paths.every((path) => path !== "" && existsSync(path)) ? [] : [`${id}: ${where}`];
  });
  expect(wrong).toEqual([]);
});
