import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** What axe-core calls serious or critical about a page as it is now. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe); // the page's own policy would refuse it as a script element
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 120)}`);
  });
  return found.filter((text) => /^(serious|critical)/.test(text));
}

/** The same in light and wide, dark and narrow; what is wider than the screen is a finding, too. */
export async function findingsInEveryLook(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    found.push(...(await seriousFindings(page)));
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed !== width) found.push(`${needed} pixels wide on a screen of ${width}`);
  }
  return found;
}
