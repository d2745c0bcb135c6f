import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UserError } from "../platform/errors.js";
import { escapeText } from "../platform/escape.js";
import { type PageName, pagesFolder } from "./pages.js";

export interface HtmlPage {
  readonly title: string;
  /** The page whose style it has. */
  readonly style: PageName;
  /** The page whose script runs once the body is there; none when left out. */
  readonly script?: Exclude<PageName, "api">;
  /** Images are inside the page, or files beside it. */
  readonly images: "inside" | "beside";
  readonly body: string;
}

/**
 * One HTML file that opens offline. Its policy lets nothing run but its one script and nothing be loaded but its images, so a name from
 * outside that slipped through unescaped would still do nothing.
 */
export function htmlPage({ title, style, script, images, body }: HtmlPage): string {
  const css = built(`${style}.css`);
  const js = script === undefined ? null : built(`${script}.js`);
  const media = images === "inside" ? "img-src data:" : "img-src 'self' file:; media-src 'self' file:";
  const policy = `default-src 'none'; ${media}; style-src ${sha(css)}; script-src ${js === null ? "'none'" : sha(js)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
<style>${css}</style>
</head>
<body>
${body}
${js === null ? "" : `<script type="module">${js}</script>\n`}</body>
</html>
`;
}

const sha = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What Vite built, with src as with dist: both lie in the package's folder. */
function built(name: string): string {
  const path = new URL(`../../${pagesFolder}/${name}`, import.meta.url);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UserError(`${path.pathname} cannot be read: the pages are not built`, { hint: "npm run build", cause });
  }
}
