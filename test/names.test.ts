import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const inside = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((file) => /\.(tsx?|py|md)$/.test(file) && !/\/\.build\/|^docs\/api\//.test(file));
const files = [
  ...["src", "test", "bench", "examples", "docs", "experiments"].flatMap(inside),
  ...["README.md", "CONTRIBUTING.md", "package.json"],
];
const read = (file: string): string => readFileSync(file, "utf8");
const comment = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm;
const code = files.filter((file) => /^(src|test|bench|examples)\/.*\.(tsx?|py)$/.test(file) || file === "package.json");

/** Every word that code holds outside of comments. */
const words = new Set(
  code.flatMap(
    (file) =>
      read(file)
        .replace(comment, "")
        .match(/[A-Za-z_$][\w$]*/g) ?? [],
  ),
);

/** What is written about the code: comments, and documents without their blocks. The log tells what was. */
const prose = [
  ...code.filter((file) => file.startsWith("src/")).map((file) => [file, (read(file).match(comment) ?? []).join("\n")]),
  ...files
    .filter((file) => file.endsWith(".md") && !/(LOG|CHANGELOG)\.md$/.test(file))
    .map((file) => [file, read(file).replace(/```[\s\S]*?```/g, "")]),
] as [string, string][];

const quoted = prose.flatMap(([file, text]) =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => ({ file, name: name! })),
);

/** Functions of other libraries. */
const foreign = ["getData"];

test("a name in backticks, in a comment or a document, is a name of the code", () => {
  const named = quoted.filter(({ name }) => /^([A-Za-z]\w*\.)?[A-Za-z]+[a-z][A-Z]\w*(\(\))?$/.test(name));
  expect(named.length).toBeGreaterThan(150);
  const unknown = named.filter(({ name }) =>
    name
      .replace("()", "")
      .split(".")
      .some((part) => !words.has(part) && !foreign.includes(part)),
  );
  expect(unknown).toEqual([]);
});

test("a path in backticks, in a comment or a document, is there", () => {
  const paths = quoted.filter(({ name }) =>
    /^((src|test|bench|docs|examples|experiments|assets)\/[\w./-]*\w|[\w/-]+\.tsx?)$/.test(name),
  );
  expect(paths.length).toBeGreaterThan(50);
  const there = ({ name }: { name: string }) => existsSync(name) || files.some((file) => file.endsWith(`/${name}`));
  expect(paths.filter((path) => !there(path))).toEqual([]);
});
