/**
 * Pages that are one HTML file: what Vite builds of each, from its entry in src (vite.pages.config.ts). A stylesheet alone is an entry of a
 * page without a script.
 */
export const pages = {
  api: "server/api/page/style.css",
  "contact-sheet": "data/open/page/main.ts",
  gallery: "deployment/predict/page/main.ts",
  report: "report/page/main.ts",
} as const;

export type PageName = keyof typeof pages;

/** Where they are built, from the package's folder. */
export const pagesFolder = "dist/html/pages";
