import { basename } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { pages, pagesFolder } from "./src/html/pages.js";

/** Text that would end the element it is put into. */
const inlined: Plugin = {
  name: "inlined",
  generateBundle(_options, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      const text = file.type === "chunk" ? file.code : String(file.source);
      if (/<\/(script|style)/i.test(text)) this.error(`${name} would end the element it is put into`);
    }
  },
};

/** The pages that are one file: a script and a style of each, which src/html/htmlPage.ts puts into it. Nothing is shared between pages. */
export default defineConfig({
  logLevel: "warn",
  plugins: [inlined],
  build: { outDir: pagesFolder, emptyOutDir: false, target: "es2022" },
  environments: Object.fromEntries(
    Object.entries(pages).map(([name, entry]) => [
      name.replace("-", "_"),
      {
        consumer: "client" as const,
        build: {
          rolldownOptions: {
            input: { [name]: `src/${entry}` },
            checks: { bundlerTimings: false },
            output: {
              codeSplitting: false,
              entryFileNames: "[name].js",
              assetFileNames: ({ names: [file = ""] }) => (basename(file).endsWith(".css") ? `${name}.css` : file),
            },
          },
        },
      },
    ]),
  ),
  builder: {
    async buildApp(builder) {
      for (const name of Object.keys(pages)) await builder.build(builder.environments[name.replace("-", "_")]!);
    },
  },
});
