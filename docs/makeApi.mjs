/**
 * Writes a page for each entry of the package, from the doc comments of what it exports: `npm run docs:api`, into docs/api or the folder
 * that is named.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const entries = { index: "gamma-ssl", engine: "gamma-ssl/engine", metrics: "gamma-ssl/metrics", web: "gamma-ssl/web" };
const to = process.argv[2] ?? "docs/api";

/** Names that a declaration file exports: where each is declared, and what it is called there. */
async function exportsOf(file) {
  const text = await readFile(file, "utf8");
  const found = [];
  for (const [, star, list, path] of text.matchAll(/^export (?:type )?(?:(\*)|\{([^}]*)\}) from "([^"]+)";/gm)) {
    const from = join(dirname(file), path.replace(/\.js$/, ".d.ts"));
    if (star !== undefined) found.push(...(await exportsOf(from)));
    else {
      for (const part of list
        .split(",")
        .map((one) => one.trim().replace(/^type /, ""))
        .filter((one) => one !== "")) {
        const [there, here = there] = part.split(" as ");
        found.push({ name: here, there, file: from });
      }
    }
  }
  const own = text.matchAll(/^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|let) (\w+)/gm);
  const names = [...new Set([...own].map(([, name]) => name))];
  return [...found, ...names.map((name) => ({ name, there: name, file }))];
}

/** The doc comment and the declarations of a name. */
function declared(text, name) {
  const start = new RegExp(
    `^(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:declare )?(?:const|function|class|interface|type) ${name}\\b`,
    "gm",
  );
  return [...text.matchAll(start)].map((match) => {
    const begin = match.index + (match[1]?.length ?? 0);
    return { comment: match[1] ?? "", code: text.slice(begin, endOf(text, begin)) };
  });
}

/** Where a declaration ends: at the semicolon outside of all brackets, or the brace that closes a class or an interface. */
function endOf(text, begin) {
  const braced = /^export (?:declare )?(?:class|interface)/.test(text.slice(begin, begin + 30));
  let depth = 0;
  for (let i = begin; i < text.length; i++) {
    if (text.startsWith("/*", i)) i = text.indexOf("*/", i) + 1;
    else if ("{([".includes(text[i])) depth++;
    else if ("})]".includes(text[i])) {
      depth--;
      if (depth === 0 && braced && text[i] === "}") return i + 1;
    } else if (text[i] === ";" && depth === 0) return i + 1;
  }
  return text.length;
}

/** A comment without its marks, a line each paragraph. */
const plain = (comment) =>
  comment
    .replace(/^\/\*\*|\*\/\s*$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join("\n")
    .replaceAll(/(?<=\S)\n(?=[^\n])/g, " ")
    .trim();

async function page(entry, title) {
  const file = `dist/${entry}.d.ts`;
  const about = /^\s*\/\*\*[\s\S]*?\*\//.exec((await readFile(file, "utf8")).replace(/^\/\/\/.*\n/gm, ""))?.[0] ?? "";
  const names = (await exportsOf(file)).sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const sections = [];
  for (const { name, there, file: from } of names) {
    const found = declared(await readFile(from, "utf8"), there);
    if (found.length === 0) throw new Error(`${from} does not declare ${there}`);
    const comment = found.map((one) => plain(one.comment)).find((text) => text !== "") ?? "";
    const code = found
      .map((one) =>
        one.code.replace(/^export (declare )?/, "").replace(/^\s+(#private;|private constructor\(.*\);)\n/gm, ""),
      )
      .join("\n");
    const as = there === name ? code : code.replace(there, name);
    sections.push([`## ${name}`, ...(comment === "" ? [] : [comment]), `\`\`\`ts\n${as}\n\`\`\``].join("\n\n"));
  }
  const head = `# ${title}\n\nWritten by \`npm run docs:api\` from the doc comments.\n\n${plain(about)}`;
  return `${[head, ...sections].join("\n\n")}\n`;
}

await mkdir(to, { recursive: true });
for (const [entry, title] of Object.entries(entries))
  await writeFile(join(to, `${entry}.md`), await page(entry, title));
