import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { problemCodes } from "../src/data/datasets/problem.js";
import { builtInLabellings } from "../src/data/labels/builtIn.js";
import { genericOptions, readers } from "../src/data/open/openDataset.js";

const page = readFileSync("docs/data.md", "utf8");

test("docs/data.md explains every problem code, once", () => {
  const explained = [...page.matchAll(/^\| `([a-z-]+)` +\| (?:error|warning) /gm)].map(([, code]) => code!);
  expect(explained.sort()).toEqual([...problemCodes].sort());
});

test("docs/data.md names every reader with its options, and every label space", () => {
  for (const { name, options } of Object.values(readers)) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(row, name).toBeDefined();
    for (const option of Object.keys(options)) expect(row, `${name} ${option}`).toContain(`\`${option}\``);
  }
  for (const name of [...Object.keys(genericOptions), ...Object.keys(builtInLabellings)])
    expect(page).toContain(`\`${name}\``);
});
