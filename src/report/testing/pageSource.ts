import { readFile } from "node:fs/promises";
import { transformWithOxc } from "vite";
import { pageScript } from "../pageScript.js";

/** The page's script from its sources, for tests: nothing has to be built first. */
export const scriptFromSource = (): Promise<string> =>
  pageScript(async (name) => {
    const path = `src/${name.replace(/\.js$/, ".ts")}`;
    const { code } = await transformWithOxc(await readFile(path, "utf8"), path, { sourcemap: false });
    return code;
  });
