import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { test } from "vitest";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser to test in; false where there is one. */
export const withoutChromium = existsSync(CHROMIUM) ? false : `no Chromium at ${CHROMIUM}; set CHROMIUM to its path`;
export const inChromium = test.skipIf(withoutChromium !== false);

export const launch = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", ...args] });

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly troubles: string[];
}

interface Visit {
  readonly options?: Parameters<Browser["newContext"]>[0];
  readonly prepare?: ((context: BrowserContext) => Promise<unknown>) | undefined;
}

/** A page in a context of its own, with what it complains about. */
export async function visited(browser: Browser, address: string, { options, prepare }: Visit = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(300_000); // for what hangs: a busy machine takes many times as long as an idle one
  await prepare?.(context);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // Software WebGL, a machine without a graphics processor and a test that blocks workers: none is the page's.
    if (!/GL Driver Message|No available adapters|blocked by Playwright/.test(message.text()))
      troubles.push(message.text());
  });
  await page.goto(address);
  return { page, context, troubles };
}
