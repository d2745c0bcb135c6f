import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { expect, test } from "vitest";
import { idMap, testImage, withFolder, writeFiles } from "../../../test/folders.js";
import { checkDataset } from "../datasets/checkDataset.js";
import { contactSheet } from "./contactSheet.js";
import { text } from "./contactSheetPage.js";
import { openDataset } from "./openDataset.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** File and class names that would run if they were ever taken for markup. */
const payloads = [
  "<script>alert(1)<",
  '"><img src=x onerror=alert(2)>',
  "'><svg onload=alert(3)>",
  "`$" + "{alert(4)}`",
  "&lt;script&gt;alert(5)",
  "javascript:alert(6)",
  "\u202egnp.exe",
];

/** A small data set with hostile names, one image that is damaged, and one that is turned. */
async function hostileSheet(root: string): Promise<string> {
  for (const [index, name] of payloads.entries()) {
    const stem = name.replaceAll("/", "");
    await writeFiles(root, {
      [`img/${stem}.png`]: index === 0 ? "not an image" : await testImage(64, 40, index).png().toBuffer(),
      [`gt/${stem}.png`]: idMap(64, 40, [0, 1, 2, 3]),
    });
  }
  const classes = ["</style><script>alert(7)</script>", '" onmouseover="alert(8)'].map((name, i) => ({
    name,
    colour: [200 * i, 90, 20],
    ids: [i],
  }));
  await writeFiles(root, { "classes.json": JSON.stringify({ classes, unknown: [2], void: [3] }) });
  const dataset = await openDataset(`folder:${root}?images=img&labels=gt`);
  const check = await checkDataset(dataset);
  return contactSheet([{ dataset, check }], check.problems.slice(0, 1), { images: 12 });
}

test("hostile names reach the page as text only", () =>
  withFolder(async (root) => {
    const page = await hostileSheet(root);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<img src=x|<svg onload|" onmouseover/);
    expect(page).toContain("&#60;script&#62;alert(1)&#60;");
    expect(page).toContain("\\u202egnp.exe");
    expect(page).toMatch(/default-src 'none'; img-src data:; style-src 'sha256-/);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
  }));

test("text from outside is spelled with entities", () => {
  expect(text(`<a b="c">&'\``)).toBe("&#60;a b=&#34;c&#34;&#62;&#38;&#39;&#96;");
  expect(text("a\u001b[2Jb")).toBe("a\\x1b[2Jb");
});

test.skipIf(!existsSync(CHROMIUM))(
  "the page works from a file in a browser, and nothing in it runs (needs chromium)",
  () =>
    withFolder(async (root) => {
      await writeFiles(root, { "page/contact-sheet.html": await hostileSheet(root) });
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
      try {
        const page = await browser.newPage();
        const trouble: string[] = [];
        page.on("dialog", (dialog) => {
          trouble.push(`dialog: ${dialog.message()}`);
          void dialog.dismiss();
        });
        page.on("console", (message) => trouble.push(`console: ${message.text()}`));
        page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
        page.on("request", (request) => {
          if (!/^(data|file):/.test(request.url())) trouble.push(`request: ${request.url()}`);
        });
        await page.goto(pathToFileURL(join(root, "page/contact-sheet.html")).href);
        expect(await page.locator("figure").count()).toBe(payloads.length - 1);
        await page.locator("#opacity").fill("20");
        expect(await page.locator("#shown").textContent()).toBe("20 %");
        expect(await page.evaluate("getComputedStyle(document.querySelector('img.labels')).opacity")).toBe("0.2");
        await page.locator(".class").nth(2).click();
        expect(await page.locator("canvas.alone").count()).toBe(payloads.length - 1);
        expect(await page.locator("img.labels").first().isVisible()).toBe(false);
        await page.locator(".class").nth(2).click();
        expect(await page.locator("canvas.alone").count()).toBe(0);
        // The button says what it will do.
        expect(await page.locator("#toggle").textContent()).toBe("hide labels");
        // The class that was clicked would take the key.
        await page.locator("h1").click();
        expect(await page.locator("img.labels").first().isVisible()).toBe(true);
        await page.keyboard.press("Space");
        expect(await page.locator("img.labels").first().isVisible()).toBe(false);
        expect(await page.locator("#toggle").textContent()).toBe("show labels");
        await page.locator(".image").first().click();
        expect(await page.locator("figure.large").count()).toBe(1);
        expect(await page.evaluate("getComputedStyle(document.querySelector('.large .rgb')).imageRendering")).toBe(
          "pixelated",
        );
        expect(trouble).toEqual([]);
        expect(await accessibilityFaults(browser, join(root, "page/contact-sheet.html"))).toEqual([]);
      } finally {
        await browser.close();
      }
    }),
);

/** What axe-core objects to. Its script must come past our policy, which would refuse it. */
async function accessibilityFaults(browser: Browser, file: string): Promise<unknown> {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(pathToFileURL(file).href);
  await page.addScriptTag({ path: "node_modules/axe-core/axe.min.js" });
  return page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))");
}
