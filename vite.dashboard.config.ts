import { defineConfig } from "vite";

/** The page of src/dashboard: static files, addressed relative to the folder they lie in. */
export default defineConfig({
  root: "src/dashboard/page",
  base: "./",
  logLevel: "warn",
  build: {
    outDir: "../../../dist/dashboard/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: "assets/licenses.md" },
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
