import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder, writeFiles } from "../../test/folders.js";
import { codeHash } from "./codeHash.js";

const files = {
  "a.mjs": 'import { b } from "./lib/b.mjs";\nexport default () => b;\n',
  "lib/b.mjs": "import table from './table.json' with { type: 'json' };\nexport const b = table;\nimport '../a.mjs';\n",
  "lib/table.json": "[1, 2]",
  "other.mjs": "export const nobody = 1;\n",
};

test("a hash is another as soon as the file, or anything it reaches by relative paths, changes, and not before", () =>
  withFolder(async (root) => {
    let place = 0;
    const hashWith = async (changed: object): Promise<string> => {
      // Elsewhere each time: where files lie must not matter, and a file is read once.
      const folder = join(root, `place-${place++}`);
      const texts = Object.entries({ ...files, ...changed }).map(([name, text]) => [name, Buffer.from(text)]);
      await writeFiles(folder, Object.fromEntries(texts));
      return codeHash(join(folder, "a.mjs"));
    };
    const hash = await hashWith({});
    expect(await hashWith({ "other.mjs": "export const nobody = 2;\n" })).toBe(hash);
    for (const name of ["a.mjs", "lib/b.mjs", "lib/table.json"] as const) {
      expect(await hashWith({ [name]: `${files[name]} ` }), name).not.toBe(hash);
    }
  }));

test("the package's own modules have one, too", async () => {
  const measuring = await codeHash(new URL("../evaluation/evaluateRun.js", import.meta.url));
  expect(measuring).toMatch(/^[0-9a-f]{64}$/);
  expect(await codeHash("src/evaluation/evaluateRun.ts")).toBe(measuring);
  expect(await codeHash("src/inference/fitSaved.ts")).not.toBe(measuring);
});
