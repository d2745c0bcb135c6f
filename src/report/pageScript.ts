import { readFile } from "node:fs/promises";
import { invariant } from "../platform/errors.js";

/** Reads the compiled text of a module, named relative to the folder above: "report/page/main.js". */
export type ReadModule = (name: string) => Promise<string>;

const compiled: ReadModule = (name) => readFile(new URL(`../${name}`, import.meta.url), "utf8");

/**
 * The page's script as one text: its modules, each after those it imports, with imports and exports taken out. The modules
 * are few and ours, and no two share a name at the top level (a module script would not start if they did), so this is
 * all the bundling there is.
 */
export async function pageScript(read: ReadModule = compiled): Promise<string> {
  const texts: string[] = [];
  const seen = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = await read(name);
    for (const [, path] of text.matchAll(/^import [^;]*? from "(\.[^"]+)";$/gm)) {
      await visit(new URL(path!, `file:///${name}`).pathname.slice(1));
    }
    texts.push(
      text
        .replace(/^import [^;]*? from "[^"]+";$/gm, "")
        .replace(/^export \{\s*\};?$/gm, "")
        .replace(/^export (?=(const|let|function|async|class)\b)/gm, "")
        .replace(/^\/\/# sourceMappingURL=.*$/gm, "")
        .replace(/^\/\/\/ <reference .*$/gm, "")
        .trim(),
    );
  };
  await visit("report/page/main.js");
  const script = texts.join("\n");
  invariant(!/^(import|export)\b/m.test(script), "an import or export of the page was not understood");
  invariant(!/<\/script/i.test(script), "the page's script would end its own element");
  return script;
}
