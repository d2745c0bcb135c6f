import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { launch } from "../inChromium.js";
import { served } from "../staticServer.js";

/**
 * Code of a document, run as a reader would run it: in a folder with `model.onnx` and `image.jpg`. Each gives the class of every pixel, row
 * by row; what it needs besides, e.g. to read an image in C++, is added around it.
 */

/** The blocks of a language in a document. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, kind]) => kind === language).map(([, , code]) => code!);

const run = promisify(execFile);
const MOST_OUTPUT = 2 ** 28;

/** What modules are called by is to be found from the folder, as in a project that installed them. */
async function withModules(folder: string): Promise<void> {
  if (existsSync(join(folder, "node_modules"))) return;
  await mkdir(join(folder, "node_modules"));
  for (const name of await readdir("node_modules"))
    await symlink(resolve("node_modules", name), join(folder, "node_modules", name));
  await symlink(resolve("."), join(folder, "node_modules", "gamma-ssl"));
}

/** `classes` is how the code calls them: a tensor, or their values. */
export async function inNode(folder: string, code: string): Promise<Uint8Array> {
  await withModules(folder);
  const said = `(await import("node:fs")).writeFileSync("classes", classes.data ?? classes);`;
  await writeFile(join(folder, "snippet.mjs"), `${code}\n${said}\n`);
  await run(process.execPath, ["snippet.mjs"], { cwd: folder });
  return readFile(join(folder, "classes"));
}

const pythons = ["python3", "/usr/bin/python3"];
const hasModules = (python: string, ...modules: string[]): boolean => {
  try {
    execFileSync(python, ["-c", `import ${modules.join(", ")}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const complete = pythons.find((python) => hasModules(python, "numpy", "PIL", "onnxruntime"));
const python = complete ?? pythons.find((each) => hasModules(each, "numpy", "PIL"));

/** For the titles of tests. */
export const pythonIs = {
  missing: python === undefined,
  title:
    python === undefined
      ? "Python (skipped: no python3 with numpy and Pillow)"
      : complete === undefined
        ? "Python (with a stand-in for onnxruntime, which is not installed: its sessions are computed in Node)"
        : "Python",
};

export async function inPython(folder: string, code: string): Promise<Uint8Array> {
  await writeFile(join(folder, "snippet.py"), `${code}\nopen("classes", "wb").write(classes.tobytes())\n`);
  const standIn = complete === undefined ? { PYTHONPATH: resolve("test", "snippets"), NODE: process.execPath } : {};
  await run(python!, ["snippet.py"], {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...standIn },
  });
  return readFile(join(folder, "classes"));
}

/** Served from the folder; onnxruntime-web is found by an import map. */
export async function inBrowser(folder: string, code: string): Promise<Uint8Array> {
  if (!existsSync(join(folder, "ort")))
    await symlink(resolve("node_modules/onnxruntime-web/dist"), join(folder, "ort"));
  const map = JSON.stringify({ imports: { "onnxruntime-web": "/ort/ort.bundle.min.mjs" } });
  await writeFile(join(folder, "index.html"), `<script type="importmap">${map}</script>`);
  await writeFile(join(folder, "snippet.js"), `${code}\nexport const found = [...(classes.data ?? classes)];\n`);
  const server = await served(folder);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // As text: Vite would rewrite an import of its own.
    return Uint8Array.from(await page.evaluate<number[]>('import("/snippet.js").then(({ found }) => found)'));
  } finally {
    await browser.close();
    server.close();
  }
}

const headers = [process.env.ONNXRUNTIME_INCLUDE, "/usr/include/onnxruntime", "/usr/local/include/onnxruntime"].find(
  (folder) => folder !== undefined && existsSync(join(folder, "onnxruntime_cxx_api.h")),
);
const compiler = ["g++", "clang++"].find((name) => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});
const library = resolve(
  `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/libonnxruntime.so.1`,
);

/** The npm package has ONNX Runtime's library for C++ programs, and not its headers. */
export const cppIs =
  headers !== undefined && compiler !== undefined && existsSync(library)
    ? { missing: false, title: "C++" }
    : {
        missing: true,
        title: `C++ (skipped: no ${compiler === undefined ? "compiler" : "headers of ONNX Runtime; ONNXRUNTIME_INCLUDE names their folder"})`,
      };

export async function inCpp(folder: string, code: string): Promise<Uint8Array> {
  const { data, info } = await sharp(join(folder, "image.jpg"))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await writeFile(join(folder, "image.rgb"), data);
  await writeFile(
    join(folder, "snippet.cpp"),
    `#include <onnxruntime_cxx_api.h>
#include <array>
#include <fstream>
#include <iterator>
#include <vector>
int main() {
  const int64_t height = ${info.height}, width = ${info.width};
  std::ifstream file("image.rgb", std::ios::binary);
  std::vector<uint8_t> rgb((std::istreambuf_iterator<char>(file)), {});
${code}
  std::ofstream("classes", std::ios::binary).write(reinterpret_cast<const char*>(classes), height * width);
}
`,
  );
  const words = [
    "-std=c++17",
    `-I${headers!}`,
    "snippet.cpp",
    library,
    `-Wl,-rpath,${resolve(library, "..")}`,
    "-o",
    "snippet",
  ];
  await run(compiler!, words, { cwd: folder, maxBuffer: MOST_OUTPUT });
  await run(join(folder, "snippet"), [], { cwd: folder });
  return readFile(join(folder, "classes"));
}
