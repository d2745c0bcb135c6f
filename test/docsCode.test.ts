import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { afterAll, expect, test } from "vitest";
import { commandLineProgram } from "../src/cli/program.js";

/** The log tells what was typed then; everything else must work today. */
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "experiments/README.md",
  "experiments/speed.md",
  ...(await readdir("docs")).filter((name) => name.endsWith(".md") && name !== "LOG.md").map((name) => `docs/${name}`),
];
const texts = await Promise.all(pages.map(async (page) => ({ page, text: await readFile(page, "utf8") })));

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** What the page does not show: imports and declarations, in a comment above the block. */
  readonly given: string;
}

const blocks: Block[] = texts.flatMap(({ page, text }) =>
  [...text.matchAll(/(?:<!-- given\n([\s\S]*?)-->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    page,
    line: text.slice(0, found.index).split("\n").length,
    given: found[1] ?? "",
    language: found[2]!,
    code: found[3]!,
  })),
);

/** Words as a shell reads them; "  explanation" behind a command is none of it. */
function wordsOf(command: string): string[] {
  const typed = command.split(/ {2,}| #/)[0]!;
  return [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? found[3]!);
}

/** What is wrong with a command line, if anything. */
function faultOf(words: readonly string[], whole: boolean): string | null {
  let command: Command = commandLineProgram("0.0.0");
  let rest = [...words];
  while (command.commands.length > 0) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (next === undefined) return rest[0]?.startsWith("-") || rest.length === 0 ? null : `no command "${rest[0]}"`;
    [command, rest] = [next, rest.slice(1)];
  }
  const flags = new Set(command.options.map(({ long }) => long));
  const unknown = rest.filter((word) => /^--[a-z]/.test(word)).find((word) => word !== "--help" && !flags.has(word));
  if (unknown !== undefined) return `no flag ${unknown}`;
  if (!whole || rest.includes("--help")) return null;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !rest.includes(long!));
  if (missing !== undefined) return `without ${missing.long}`;
  const { operands } = command.configureOutput({ writeErr: () => {} }).parseOptions(rest);
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  return operands.length < needed ? `${operands.length} words, wanted ${needed}` : null;
}

test("every gssl command in the documents has flags that exist, and all it needs", () => {
  const typed = blocks
    .filter(({ language }) => ["", "sh", "bash"].includes(language))
    .flatMap(({ page, line, code }) =>
      code
        .replaceAll(/\\\n\s*/g, " ")
        .split(/\n|&&|\|/)
        .map((command) => command.trim())
        .filter((command) => /^(npx )?gssl /.test(command))
        .map((command) => ({ where: `${page}:${line}`, command: command.replace(/^npx /, ""), whole: true })),
    );
  const inline = texts.flatMap(({ page, text }) =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`(gssl [^`]+)`/g)].map(([, command]) => ({
      where: page,
      command: command!,
      whole: false,
    })),
  );
  expect(typed.length).toBeGreaterThan(20);
  const wrong = [...typed, ...inline].flatMap(({ where, command, whole }) => {
    const fault = faultOf(wordsOf(command).slice(1), whole);
    return fault === null ? [] : [`${where}: ${command}: ${fault}`];
  });
  expect(wrong).toEqual([]);
});

const root = await mkdtemp(join(tmpdir(), "docs-code-"));
afterAll(() => rm(root, { recursive: true, force: true }));

test("every TypeScript block in the documents compiles", async () => {
  const code = blocks.filter(({ language }) => language === "ts");
  expect(code.length).toBeGreaterThan(8);
  await mkdir(join(root, "node_modules"));
  await symlink(resolve("."), join(root, "node_modules", "gamma-ssl"));
  await symlink(resolve("src"), join(root, "src"));
  await symlink(resolve("node_modules", "@types"), join(root, "node_modules", "@types"));
  for (const [i, { page, line, given, code: text }] of code.entries()) {
    await writeFile(join(root, `block${i}.ts`), `// ${page}:${line}\n${given}\n${text}\nexport {};\n`);
  }
  const options = {
    ...{ module: "NodeNext", target: "ES2023", lib: ["ES2023", "ES2024.SharedMemory", "DOM"], types: ["node"] },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ skipLibCheck: true, preserveSymlinks: false, paths: { "src/*": [resolve("src", "*")] } },
  };
  await writeFile(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["block*.ts"] }));
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module" }));
  const said = await promisify(execFile)(resolve("node_modules/.bin/tsc"), ["-p", root]).then(
    () => [],
    (error: { stdout: string }) => error.stdout.split("\n").filter((line) => line.includes("error")),
  );
  const named = said.map((line) =>
    line.replace(/^.*block(\d+)\.ts/, (_, i) => `${code[Number(i)]!.page}:${code[Number(i)]!.line} `),
  );
  expect(named).toEqual([]);
}, 120_000);

test("the reference has a section for everything that the package exports", async () => {
  const to = join(root, "api");
  await promisify(execFile)(process.execPath, ["docs/makeApi.mjs", to]);
  const entry = async (name: string) =>
    [...(await readFile(join(to, `${name}.md`), "utf8")).matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading!);
  expect(await entry("index")).toEqual(expect.arrayContaining(Object.keys(await import("../src/index.js"))));
  expect(await entry("metrics")).toEqual(expect.arrayContaining(Object.keys(await import("../src/metrics.js"))));
});
