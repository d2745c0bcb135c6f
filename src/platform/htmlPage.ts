import { createHash } from "node:crypto";
import { escapeText } from "./escape.js";

export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** Plain JavaScript that runs once the page is there. */
  readonly script: string;
  /** Images are inside the page, or files beside it. */
  readonly images: "inside" | "beside";
  readonly body: string;
}

const sha = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * One HTML file that opens offline. Its policy lets nothing run but its one script and nothing be loaded but its images, so a name from
 * outside that slipped through unescaped would still do nothing.
 */
export function htmlPage({ title, style, script, images, body }: HtmlPage): string {
  const media = images === "inside" ? "img-src data:" : "img-src 'self' file:; media-src 'self' file:";
  const policy = `default-src 'none'; ${media}; style-src ${sha(style)}; script-src ${sha(script)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script type="module">${script}</script>
</body>
</html>
`;
}
