import { cp, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { runtimeFiles, runtimeFolder } from "./src/viewer/manifest.js";

const OUT = "dist/viewer/page";

/**
 * ONNX Runtime lies beside the page as it is, not inside its scripts: it is loaded by the worker that needs it, and only the kind that
 * the browser can use.
 */
const runtime: Plugin = {
  name: "runtime",
  async closeBundle() {
    const from = dirname(createRequire(import.meta.url).resolve("onnxruntime-web/wasm"));
    const { version } = JSON.parse(await readFile(join(from, "..", "package.json"), "utf8")) as { version: string };
    if (runtimeFolder !== `ort-${version}`)
      throw new Error(`src/viewer/manifest.ts says ${runtimeFolder}, installed is onnxruntime-web ${version}`);
    await mkdir(join(OUT, runtimeFolder), { recursive: true });
    for (const name of [...runtimeFiles.wasm, ...runtimeFiles.webgpu])
      await cp(join(from, name), join(OUT, runtimeFolder, name));
  },
};

/** The page of src/viewer: static files, addressed relative to the folder they lie in. */
export default defineConfig({
  root: "src/viewer/page",
  base: "./",
  logLevel: "warn",
  plugins: [runtime],
  worker: { format: "es" },
  build: {
    outDir: join("../../..", OUT),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // The page's policy allows no inline data but images of its own.
    assetsInlineLimit: 0,
    license: { fileName: "assets/licenses.md" },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { index: "src/viewer/page/index.html", serviceWorker: "src/viewer/page/serviceWorker.ts" },
      output: { entryFileNames: ({ name }) => (name === "serviceWorker" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
});
