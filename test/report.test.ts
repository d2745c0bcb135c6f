import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PixelCounter } from "../src/evaluation/pixelCounter.js";
import { writeResult } from "../src/evaluation/results/writeResult.js";
import { sealedJson } from "../src/platform/seal.js";
import { plotInPage } from "../src/report/plotSvg.js";
import { inventRun } from "../src/report/testing/inventedRun.js";
import { writeReport } from "../src/report/writeReport.js";
import { seriousFindings } from "./axe.js";

const CHROMIUM = "/usr/bin/chromium";
const inChromium = test.skipIf(!existsSync(CHROMIUM));

/** Names as an attacker would choose them (S5): each sets window.hit when it runs, 20 as they are and 20 in capitals. */
const small = [
  "<script>window.hit=1</script>",
  '"><img src=x onerror=window.hit=1>',
  "'><svg onload=window.hit=1>",
  "</script><script>window.hit=1</script>",
  "</title><script>window.hit=1</script>",
  "</style><script>window.hit=1</script>",
  "--><script>window.hit=1</script>",
  "]]><script>window.hit=1</script>",
  "<iframe srcdoc='<script>parent.hit=1</script>'>",
  "<a href=javascript:window.hit=1 autofocus onfocus=window.hit=1>",
  "<details open ontoggle=window.hit=1>",
  "{{window.hit=1}}",
  "`-(window.hit=1)-`",
  "\\u003cscript\\u003ewindow.hit=1\\u003c/script\\u003e",
  "&lt;script&gt;window.hit=1&lt;/script&gt;",
  "<math><mtext></table><img src=x onerror=window.hit=1>",
  "<base href=https://example.org/>",
  "<meta http-equiv=refresh content=0>",
  "<link rel=stylesheet href=https://example.org/x.css>",
  "\u2028window.hit=1\u2029",
];
const payloads = [
  ...small,
  ...small.map((text) => text.replace(/<\/?[a-z]+/g, (tag) => tag.toUpperCase()).concat(" ")),
];

/** A run in which every name is a payload: run, data set, methods, classes, images, command, seeds, environment, log. */
async function hostileRun(into: string): Promise<string> {
  const run = join(into, `run ${payloads[1]!.replaceAll("/", "")}`);
  const pixels = Uint8Array.from({ length: 32 }, (_, i) => i % 2);
  const examples = payloads.map((id, k) => ({
    id,
    width: 8,
    height: 4,
    rgb: null,
    labels: pixels,
    predicted: pixels.map((label, i) => (i % 5 === k % 5 ? 1 - label : label)),
    uncertainty: Float32Array.from(pixels, (_, i) => ((i * 7 + k) % 32) / 32),
  }));
  for (const method of payloads.slice(0, 6)) {
    const counter = new PixelCounter({ classes: 2, policy: "paper" });
    for (const example of examples) counter.add(example);
    const evaluation = {
      ...counter.finish(),
      dataset: payloads[3]!,
      method,
      classes: [
        { name: payloads[0]!, colour: [200, 0, 0] },
        { name: payloads[2]!, colour: [0, 0, 200] },
      ] as const,
      policy: "paper" as const,
      command: payloads[4]!,
      seeds: { [payloads[5]!]: 1 },
      environment: { [payloads[6]!]: payloads[7]! },
    };
    await writeResult(run, evaluation, examples);
  }
  await writeFile(
    join(run, "log.jsonl"),
    [1, 2].map((step) => JSON.stringify({ step, [payloads[1]!]: step })).join("\n"),
  );
  return run;
}

/** What the invented run says it was. */
const trained = {
  method: "gamma-ssl",
  source: "camvid:day",
  targets: ["folder:dusk & dawn"],
  weights: "resnet18.pth",
  ablation: "no-filter",
  options: { training: { pretraining: 1000, adaptation: 3000, warmUp: 0 } },
  seed: 4,
};

let folder: string;
let browser: Browser | undefined;
let plain: { file: string; bytes: number };
let nasty: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gssl-report-"));
  const run = await inventRun(join(folder, "town"), { images: 8, height: 48, width: 96, log: true });
  await writeFile(join(run, "config.json"), JSON.stringify(trained));
  await writeFile(join(run, "run.json"), sealedJson({ command: "gssl train --to town", environment: { node: "v20" } }));
  plain = { file: join(folder, "plain.html"), bytes: 0 };
  plain.bytes = (await writeReport([run], plain.file)).bytes;
  const attacked = await hostileRun(folder);
  nasty = join(folder, "nasty.html");
  await writeReport([attacked], nasty);
  if (existsSync(CHROMIUM)) {
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    browser = await chromium.launch({ executablePath: CHROMIUM, args });
  }
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

/** A page that writes down whatever goes wrong on it, requests to anywhere included. */
async function open(file: string, options: { width?: number; height?: number; dark?: boolean } = {}) {
  const context = await browser!.newContext({
    viewport: { width: options.width ?? 1300, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    troubles.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(data:|file:.*\.html$)/.test(request.url())) troubles.push(request.url());
  });
  await page.goto(`file://${encodeURI(file)}`);
  await page.waitForFunction(() => document.querySelector("html.ready") !== null);
  await page.waitForTimeout(200);
  return { page, troubles, close: () => context.close() };
}

/** Where elements are on the screen. */
const boxes = (found: Element[]): DOMRect[] => found.map((one) => one.getBoundingClientRect().toJSON() as DOMRect);

const blackShare = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelectorAll("canvas")[1]!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let black = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! === 0) black++;
    return black / (data.length / 4);
  });

const dots = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll(".dot")].map((dot) => `${dot.getAttribute("cx")} ${dot.getAttribute("cy")}`),
  );

test("a report holds its table, commands, seeds and environment even where no script runs", async () => {
  const html = await readFile(plain.file, "utf8");
  for (const text of [
    "gssl evaluate runs/invented",
    "seed of bootstrap",
    "<strong>",
    "gamma-ssl",
    "default-src 'none'",
  ]) {
    expect(html).toContain(text);
  }
  expect(html).not.toMatch(/(src|href)="https?:/);
  expect(plain.bytes).toBeLessThan(1e6);
});

test("a report says what was trained: method, data, steps, weights, seed, command, departures and environment", async () => {
  const html = (await readFile(plain.file, "utf8")).replace(/<[^>]+>/g, " ").replace(/ +/g, " ");
  for (const text of [
    "method γ-SSL, profile small, ablation no-filter",
    "source, labelled camvid:day",
    "target, unlabelled folder:dusk &#38; dawn",
    "steps pretraining 1,000, adaptation 3,000",
    "initial weights resnet18.pth",
    "seed 4",
    "gssl train --to town",
    "Departs from the paper",
    "node v20",
  ]) {
    expect(html).toContain(text);
  }
  expect(html).toMatch(/adaptation/);
  expect(await readFile(join(folder, "report", "training-loss.svg"), "utf8")).toContain(">adaptation</text>");
});

test("a run whose config cannot be read is reported all the same, with the reason", async () => {
  const run = await inventRun(join(folder, "older"), { images: 2, height: 48, width: 96 });
  await writeFile(join(run, "config.json"), JSON.stringify({ ...trained, ablation: "no-such" }));
  const file = join(folder, "older.html");
  await writeReport([run], file);
  expect(await readFile(file, "utf8")).toMatch(/What was trained<\/h2><p class="soft">[^<]*config\.json[^<]*ablation/);
});

test("the same runs give the same report, byte for byte", async () => {
  const again = join(folder, "again.html");
  await writeReport([join(folder, "town")], again);
  expect((await readFile(again)).equals(await readFile(plain.file))).toBe(true);
});

test("plots and tables lie beside the report as SVG, PNG, CSV and LaTeX", () => {
  const beside = join(folder, "report", "scenes-town-split-test-count-8-seed-5-height-48-width-96");
  for (const name of ["roc", "pr", "amd", "f05"]) {
    for (const ending of ["svg", "png", "csv", "tex"]) expect(existsSync(join(beside, `${name}.${ending}`))).toBe(true);
  }
  for (const ending of ["csv", "tex"]) expect(existsSync(join(beside, `table.${ending}`))).toBe(true);
  expect(existsSync(join(folder, "report", "training-loss.svg"))).toBe(true);
});

inChromium(
  "in chromium: arrow keys on the slider move every dot, the sentence and the blacked-out pixels",
  async () => {
    const { page, troubles, close } = await open(plain.file);
    const before = { dots: await dots(page), sentence: await page.locator("#sentence").textContent() };
    await page.locator("#threshold").focus();
    await page.keyboard.press("End");
    await page.waitForTimeout(200);
    expect(await page.locator("#sentence").textContent()).toMatch(
      /^At this threshold 100 % of pixels are kept, \d+ % of them right/,
    );
    const allKept = await blackShare(page);
    for (let i = 0; i < 4; i++) await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(200);
    expect(await page.locator("#threshold").inputValue()).toBe("599");
    expect(await blackShare(page)).toBeGreaterThan(allKept + 0.1);
    const after = await dots(page);
    expect(after).toHaveLength(12);
    for (const [k, dot] of after.entries()) expect(dot).not.toBe(before.dots[k]);
    expect(await page.locator("#sentence").textContent()).not.toBe(before.sentence);
    expect(troubles).toEqual([]);
    await close();
  },
);

inChromium(
  "in chromium: γ is where a method with a threshold of its own starts, and what the image keeps",
  async () => {
    const { page, close } = await open(plain.file);
    expect(await page.locator("#methods input:checked").evaluate((input) => input.closest("label")!.textContent)).toBe(
      "gamma-ssl",
    );
    expect(await page.locator(".mark[aria-pressed=true]").first().textContent()).toBe("γ");
    expect(await page.locator("#threshold-value").textContent()).toBe("uncertainty ≤ 0.38");
    await close();
  },
);

inChromium("in chromium: methods, classes, panes and a click on a curve answer", async () => {
  const { page, troubles, close } = await open(plain.file);
  await page.getByRole("radio", { name: "max-softmax" }).check({ force: true });
  await page.selectOption("#left", "mistakes");
  await page.selectOption("#sort", "name");
  await page.getByRole("button", { name: "Show all 8 images" }).click();
  expect(await page.locator("#gallery .card").count()).toBe(8);
  expect(await page.locator(".id").first().textContent()).toBe("town-test-000000");
  const road = page.getByRole("button", { name: "road", exact: true });
  await road.click();
  expect(await road.getAttribute("aria-pressed")).toBe("false");
  await page.locator("svg[data-plot=roc]").click({ position: { x: 120, y: 60 } });
  expect(await page.locator("#sentence").textContent()).toContain("pixels are kept");
  expect(troubles).toEqual([]);
  await close();
});

inChromium("in chromium: a cell of the confusion matrix opens the images with most of that confusion", async () => {
  const { page, troubles, close } = await open(plain.file);
  const cell = page.getByRole("button", { name: /of sidewalk taken for road: show the images/ });
  await cell.click();
  await page.waitForTimeout(300);
  expect(await page.locator("#focus").textContent()).toBe("sidewalk taken for road, most first ✕");
  expect(await cell.getAttribute("aria-pressed")).toBe("true");
  // Orange and blue pixels on the left are that confusion and no other: the first image has most of them.
  const painted = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>(".panes canvas:first-child")].map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) {
        const colour = `${data[i]} ${data[i + 1]} ${data[i + 2]}`;
        if (colour === "213 94 0" || colour === "86 180 233") count++;
      }
      return count;
    }),
  );
  const shown = painted.filter((count) => count > 0);
  expect(shown.length).toBeGreaterThan(1);
  expect(shown).toEqual(shown.toSorted((a, b) => b - a));
  await page.locator("#focus").click();
  expect(await page.locator("#focus").isVisible()).toBe(false);
  expect(troubles).toEqual([]);
  await close();
});

inChromium("in chromium: a report of results without numbers or images says so, and nothing breaks", async () => {
  const counter = new PixelCounter({ classes: 2, policy: "paper" });
  counter.add({ id: "a", labels: new Uint8Array(4), predicted: new Uint8Array(4), uncertainty: new Float32Array(4) });
  const run = join(folder, "hidden");
  await writeResult(run, {
    ...counter.finish(),
    dataset: "hidden",
    method: "m",
    classes: [],
    policy: "paper",
    command: "",
    seeds: {},
    environment: {},
  });
  const file = join(folder, "hidden.html");
  await writeReport([run], file);
  const { page, troubles, close } = await open(file);
  expect(await page.locator("#sentence").textContent()).toBe("Nothing was scored here: the table says why.");
  expect(await page.locator("#images").isVisible()).toBe(false);
  expect(troubles).toEqual([]);
  await close();
});

inChromium(
  "in chromium: axe-core finds nothing serious, light or dark, wide or narrow",
  async () => {
    for (const options of [{}, { dark: true }, { width: 390 }]) {
      const { page, close } = await open(plain.file, options);
      expect(await seriousFindings(page)).toEqual([]);
      await close();
    }
  },
  180_000,
);

inChromium("in chromium: a phone shows every choice, and keeps most of the screen for what is chosen", async () => {
  const run = join(folder, "many");
  const methods = Array.from({ length: 9 }, (_, k) => `method-${k}`).map((name) => ({
    ...{ name, border: 0.3, mistake: 0.3, unknown: 0.1, noise: 0.5, wrong: 0.4 },
  }));
  for (const place of ["town", "forest"] as const) {
    await inventRun(run, { images: 8, height: 48, width: 96, place, methods });
  }
  const file = join(folder, "many.html");
  await writeReport([run], file);
  const { page, close } = await open(file, { width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect((await page.locator("#dataset").boundingBox())!.width).toBeGreaterThan(300);
  for (const box of await page.locator(".chip, .mark").evaluateAll(boxes)) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(390);
  }
  await page.locator("#gallery .card").last().scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollBy(0, 400));
  const covered = await page.evaluate(() => {
    const ofCards = (y: number): boolean => document.elementFromPoint(195, y)?.closest("main, footer") !== null;
    return Array.from({ length: innerHeight }, (_, y) => y).filter((y) => !ofCards(y)).length;
  });
  expect(covered).toBeGreaterThan(60);
  expect(covered).toBeLessThan(0.2 * 844);
  await close();
});

inChromium("in chromium: an enlarged image shows its pixels, and the matrix fills its card", async () => {
  const { page, close } = await open(plain.file);
  const [wide, canvas] = [page.locator(".card.wide"), page.locator(".card canvas").first()];
  const rendering = () => canvas.evaluate((one) => getComputedStyle(one).imageRendering);
  expect(await rendering()).toBe("auto");
  await page.locator(".larger").first().click();
  expect(await wide.count()).toBe(1);
  expect(await rendering()).toBe("pixelated");
  const [card, table] = await page.locator("#confusion .scroll, #confusion table").evaluateAll(boxes);
  expect(table!.width).toBeGreaterThan(0.98 * card!.width);
  await close();
});

inChromium("in chromium: names of stages stand apart, however short the stages are", async () => {
  const { page, close } = await open(plain.file);
  const names = ["pretraining", "warm-up", "adaptation", "extension-1", "extension-2", "extension-3"];
  const plot = (places: readonly number[]): string =>
    plotInPage({
      ...{ name: "training loss", title: "Loss", meaning: "", series: [], chance: null },
      x: { label: "step", from: 0, to: 1000 },
      y: { label: "", from: 0, to: 1 },
      marks: names.map((label, i) => ({ x: places[i]!, label })),
    });
  const drawn = [
    [0, 20, 40, 60, 80, 100],
    [0, 100, 850, 900, 950, 1000],
    [990, 991, 992, 993, 994, 995],
  ];
  for (const places of drawn) {
    await page.locator(".training .plots").evaluate((box, svg) => {
      box.innerHTML = `<figure class="card">${svg}</figure>`;
    }, plot(places));
    const found = await page.locator(".stage-name").evaluateAll(boxes);
    expect(found).toHaveLength(names.length);
    const frame = (await page.locator("svg.plot").last().boundingBox())!;
    for (const [i, one] of found.entries()) {
      expect(one.right).toBeLessThanOrEqual(frame.x + frame.width + 1);
      for (const other of found.slice(i + 1)) {
        const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top + 2;
        expect(apart || other.bottom <= one.top + 2).toBe(true);
      }
    }
  }
  await close();
});

inChromium("in chromium: the first key press reaches the skip link, and focus can be seen", async () => {
  const { page, close } = await open(plain.file);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the results");
  expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe("solid");
  await close();
});

inChromium("in chromium: hostile names of runs, methods and images stay text", async () => {
  const { page, troubles, close } = await open(nasty);
  await page.getByRole("button", { name: /Show all/ }).click();
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
  expect(await page.evaluate(() => document.querySelectorAll("iframe, base, link, img, object, embed").length)).toBe(0);
  const shown = await page.locator(".id").allTextContents();
  expect(new Set(shown)).toEqual(new Set(payloads));
  expect((await page.locator(".chip").allTextContents()).sort()).toEqual(payloads.slice(0, 6).sort());
  expect(await page.locator("pre").first().textContent()).toBe(payloads[4]);
  expect(troubles).toEqual([]);
  await close();
});
