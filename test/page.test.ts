import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, crc32, deflateSync, gzipSync } from "node:zlib";
import { decode } from "fast-png";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, Segmenter } from "../src/index.js";
import type { SiteManifest } from "../src/viewer/manifest.js";
import { findingsInEveryLook } from "./axe.js";
import { exportedModel } from "./exportedModel.js";
import { testImage, writeFiles } from "./folders.js";
import { inChromium, launch, type Opened, visited, withoutChromium } from "./inChromium.js";
import { serve, siteFiles } from "./serverProcess.js";
import { withStandIn } from "./standInGpu.js";
import { served } from "./staticServer.js";
import { writeTinyRun } from "./tinyRun.js";

const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";

let root: string;
let site: string;
let image: string;
let manifest: SiteManifest;
let server: Server;
let address: string;
let browser: Browser;
/** One visit to `gssl serve` that several tests share: starting WebAssembly takes longer than all they do. */
let visit: Opened;
let running: RunningServer | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "page-"));
  const run = join(root, "run");
  await writeTinyRun(run, { source: SOURCE, targets: [SOURCE], classes: 19, trace: [{ gamma: 0.9, certain: 0.5 }] });
  site = join(root, "site");
  image = join(root, "street.png");
  // As high as training's images: nothing is scaled, and the page computes what Node computes.
  await testImage(96, 64, 7).png().toFile(image);
  const words = [
    "export",
    run,
    "--fp16",
    "--page",
    site,
    "--examples",
    image,
    "--cache",
    join(root, "cache"),
    "--json",
  ];
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words]);
  expect((JSON.parse(stdout) as { page: string }).page).toBe(join(site, "index.html"));
  manifest = JSON.parse(await readFile(join(site, "models.json"), "utf8"));
  server = await served(site);
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  if (withoutChromium === false) {
    browser = await launch(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]);
    const models = ["model", "model.fp16"].map((name) => join(run, `${name}.onnx`));
    running = await serve(models, {
      port: 0,
      processes: 1,
      threads: 1,
      site: (served) => siteFiles(served, { examples: [image] }),
    });
    visit = await open({ permissions: ["camera"] }, { at: `${running.url}/` });
    await shown(visit.page);
  }
});
afterAll(async () => {
  await browser?.close();
  await running?.close();
  server?.close();
  await rm(root, { recursive: true, force: true });
});

test("a site lists its models with length and sha256, and has every file that it names", async () => {
  expect(manifest.models.map(({ name, precision }) => [name, precision])).toEqual([
    ["model", "float32"],
    ["model.fp16", "float16"],
  ]);
  expect(manifest.models[0]).toMatchObject({ scoreRange: [-1, 1], height: 64, gamma: expect.any(Number) });
  expect(manifest.examples.map(({ name }) => name)).toEqual(["street"]);
  const files = (await readdir(site, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(site.length + 1));
  for (const { file } of [...manifest.models, ...manifest.examples, ...Object.values(manifest.runtimes)])
    expect(files).toContain(file);
  for (const file of manifest.offline) expect(files).toContain(file);
  // What may be kept for ever lies in these folders, under a name that has its hash or its version.
  const changing = files.filter((file) => !/^(assets|models|examples|ort-[\d.]+)\//.test(file));
  expect(changing.sort()).toEqual(["index.html", "models.json", "sw.js"]);
});

test("models of a site are named by themselves, by their folder, or as asked", async () => {
  const model = join(root, "run", "model.onnx");
  const names = async (...models: string[]): Promise<string[]> => {
    const files = await siteFiles(models, { examples: [image] });
    return (JSON.parse(Buffer.from(files.get("models.json")!.bytes).toString()) as SiteManifest).models.map(
      ({ name }) => name,
    );
  };
  const half = join(root, "run", "model.fp16.onnx");
  expect(await names(model, half)).toEqual(["model", "model.fp16"]);
  const other = join(root, "other", "model.onnx");
  await writeFiles(root, { "other/model.onnx": await readFile(half) });
  expect(await names(model, other)).toEqual(["run/model", "other/model"]);
  expect(await names(`day=${model}`, `night=${other}`, model)).toEqual(["day", "night"]);
  await expect(names()).rejects.toThrow("a page of 0 models");
});

test("the page without model and runtime is smaller than 60 KB compressed", async () => {
  const page = (await readdir(site, { recursive: true, encoding: "utf8" })).filter((path) =>
    /^(index\.html|sw\.js|assets.*\.(js|css))$/.test(path),
  );
  expect(page.length).toBeGreaterThan(4);
  const bytes = await Promise.all(page.map((path) => readFile(join(site, path))));
  const total = (compress: (bytes: Uint8Array) => Uint8Array): number =>
    bytes.reduce((sum, one) => sum + compress(one).length, 0);
  expect(total((one) => gzipSync(one))).toBeLessThan(60_000);
  expect(total((one) => brotliCompressSync(one))).toBeLessThan(60_000);
});

test("--beside and --examples without --page, and a model that is none, are refused before anything is computed", async () => {
  const gssl = (...words: string[]): Promise<{ stderr: string; code: number }> =>
    promisify(execFile)(process.execPath, ["dist/cli/main.js", "export", join(root, "run"), ...words]).then(
      () => ({ stderr: "", code: 0 }),
      (error: { stderr: string; code: number }) => error,
    );
  expect(await gssl("--examples", image)).toMatchObject({ code: 2, stderr: expect.stringContaining("go with --page") });
  expect(await gssl("--page", join(root, "other"), "--beside", image)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("street.png is not an ONNX file"),
  });
});

interface Visit {
  readonly at?: string;
  readonly query?: string;
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

const open = (
  options: Parameters<Browser["newContext"]>[0] = {},
  { at = address, query = "", prepare }: Visit = {},
): Promise<Opened> => visited(browser, `${at}${query}`, { options, prepare });

const shown = (page: Page): Promise<unknown> => page.waitForSelector("canvas[data-shown]");
const opens = (page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
  page.locator("input[type=file][multiple]").setInputFiles(file);

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return readFile(await download.path());
}

/** Move a range input as a visitor does. */
const slide = (page: Page, label: RegExp, value: number): Promise<void> => page.getByLabel(label).fill(String(value));

/** Colours of the canvas at places in the image of the test (96 x 64). */
const colours = (page: Page): Promise<number[][]> =>
  page.evaluate(async () => {
    const canvas = document.querySelector("canvas")!;
    await new Promise(requestAnimationFrame);
    const [copy, times] = [new OffscreenCanvas(canvas.width, canvas.height), canvas.width / 96];
    const context = copy.getContext("2d")!;
    context.drawImage(canvas, 0, 0);
    const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: 96 * 64 }, (_, i) => {
      const at = 4 * (Math.floor((Math.floor(i / 96) + 0.5) * times) * width + Math.floor(((i % 96) + 0.5) * times));
      return [...data.slice(at, at + 3)];
    });
  });

inChromium("an image that is dropped gives what Node gives; γ and classes change what is painted", async () => {
  const { page, troubles } = visit;
  const bytes = [...(await readFile(image))];
  const transfer = await page.evaluateHandle((contents) => {
    const made = new DataTransfer();
    made.items.add(new File([new Uint8Array(contents)], "dropped.png", { type: "image/png" }));
    return made;
  }, bytes);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await page.getByRole("button", { name: /^dropped\.png \d+ % certain/ }).waitFor();
  expect(await page.locator(".badge").textContent()).toMatch(/^WebAssembly · \d threads/);

  const { file, gamma } = manifest.models[0]!;
  const node = await Segmenter.open(join(site, file), { threads: 1 });
  const wanted = await node.segment(image);
  await node.close();
  const numbers = JSON.parse((await downloaded(page, "Numbers, JSON")).toString()) as {
    certain: number;
    uncertaintyStep: number;
    classes: { name: string; share: number }[];
  };
  const uncertainty = decode(await downloaded(page, "Uncertainty, 16 bits"));
  const classes = decode(await downloaded(page, "Class ids"));
  expect([uncertainty.width, uncertainty.height, uncertainty.depth]).toEqual([96, 64, 16]);
  const furthest = Math.max(
    ...Array.from(uncertainty.data, (code, i) => Math.abs(code * numbers.uncertaintyStep - wanted.uncertainty[i]!)),
  );
  expect(furthest).toBeLessThan(1e-3);
  const different = wanted.classes.filter((k, i) => k !== classes.data[i]).length;
  expect(different / wanted.classes.length).toBeLessThan(0.001);
  expect(Math.abs(numbers.certain - wanted.certainShare!)).toBeLessThan(0.005);

  // Only what is certain, all over the canvas: black where the similarity is below γ.
  await slide(page, /wipe/, 0);
  const black = async (): Promise<number> => (await colours(page)).filter((c) => c.every((v) => v === 0)).length / 6144;
  expect(Math.abs(1 - (await black()) - wanted.certainShare!)).toBeLessThan(0.01);
  const other = (gamma! + 1) / 2;
  await slide(page, /^γ$/, other);
  const share = wanted.uncertainty.filter((u) => 1 - u >= other).length / wanted.uncertainty.length;
  await page.getByText(`${(100 * share).toFixed(1)} %`, { exact: true }).waitFor();
  expect(Math.abs(1 - (await black()) - share)).toBeLessThan(0.01);
  await page.getByRole("button", { name: /^model's/ }).click();
  expect(await page.getByLabel(/^γ$/).inputValue().then(Number)).toBeCloseTo(gamma!, 2);

  // A class that is hidden shows the image itself.
  const segmentation = async (): Promise<number[][]> => {
    const { data, channels } = decode(await downloaded(page, "Segmentation"));
    return Array.from(wanted.classes, (_, i) => [...data.slice(channels * i, channels * i + 3)]);
  };
  const painted = await segmentation();
  const { data: pixels } = decode(await readFile(image));
  const most = numbers.classes.reduce((best, one) => (one.share > best.share ? one : best));
  const k = numbers.classes.indexOf(most);
  await page.getByRole("button", { name: new RegExp(`^${most.name}`) }).click();
  for (const [i, colour] of (await segmentation()).entries()) {
    if (i % 7 === 0) expect(colour).toEqual(classes.data[i] === k ? [...pixels.slice(3 * i, 3 * i + 3)] : painted[i]);
  }

  // A lost WebGL context comes back with what it showed.
  const before = await colours(page);
  await page.evaluate(async () => {
    const canvas = document.querySelector("canvas")!;
    const lose = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
    lose.loseContext();
    await new Promise((done) => setTimeout(done, 50));
    const restored = new Promise((done) => canvas.addEventListener("webglcontextrestored", done));
    lose.restoreContext();
    await restored;
  });
  expect(await colours(page)).toEqual(before);
  expect(troubles).toEqual([]);
});

/** A PNG of one grey, of any size: its lines are zeros, which compress to little. */
function greyPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const lines = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 1 });
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", lines), chunk("IEND", Buffer.alloc(0))]);
}

inChromium("a photograph of 4:3 leaves the buttons on the screen, and its frame has its shape", async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 1280, height: 800 });
  const photograph = await testImage(960, 720, 3).png().toBuffer();
  await opens(page, { name: "photograph.png", mimeType: "image/png", buffer: photograph });
  await page.waitForSelector('canvas[data-shown="960x720"]');
  await slide(page, /wipe/, 0.25);
  await page.evaluate(() => scrollTo(0, 0));
  const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  const [frame, canvas, line] = [await box(".frame"), await box(".frame canvas"), await box(".wipe .line")];
  expect(canvas.width / canvas.height).toBeCloseTo(4 / 3, 2);
  expect([frame.x, frame.y, frame.width, frame.height].map(Math.round)).toEqual(
    [canvas.x, canvas.y, canvas.width, canvas.height].map(Math.round),
  );
  // The line stands where the views meet.
  expect((line.x + line.width / 2 - canvas.x) / canvas.width).toBeCloseTo(0.25, 2);
  for (const name of ["Open images", "Open a folder", "Webcam"]) {
    const button = (await page.getByRole("button", { name, exact: true }).boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(800);
  }
  await slide(page, /wipe/, 0.5);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator(".strip li button").last().click();
  await page.waitForSelector('canvas[data-shown="96x64"]');
});

inChromium("the page claims no more of an image than that it is not flagged", async () => {
  const { page } = visit;
  await page.locator(".verdict").waitFor();
  expect(await page.locator(".verdict p:nth-child(2)").textContent()).toMatch(
    /^(Not flagged as out of domain|Unlike the images this model was trained on)\.$/,
  );
});

test("drawn streets are offered with models of drawn streets, and with no others", async () => {
  const examplesOf = async (model: string): Promise<string[]> => {
    const files = await siteFiles([model]);
    const { examples } = JSON.parse(Buffer.from(files.get("models.json")!.bytes).toString()) as SiteManifest;
    return examples.map(({ name }) => name);
  };
  expect(await examplesOf(join(root, "run", "model.onnx"))).toContain("dusk");
  await writeFiles(root, { "photographs.onnx": await exportedModel({ source: "camvid:CamVid?sequence=day" }) });
  expect(await examplesOf(join(root, "photographs.onnx"))).toEqual([]);
});

inChromium("a page without examples says what to do, and then shows what is opened", async () => {
  await writeFiles(root, { "photographs.onnx": await exportedModel({ source: "camvid:CamVid?sequence=day" }) });
  const files = await siteFiles([join(root, "photographs.onnx")]);
  const folder = join(root, "photographs");
  await writeFiles(folder, Object.fromEntries([...files].map(([path, { bytes }]) => [path, Buffer.from(bytes)])));
  const other = await served(folder);
  const { page, context, troubles } = await open(
    {},
    { at: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` },
  );
  await page.getByText("Open an image below, or drop one here.").waitFor();
  await opens(page, image);
  await shown(page);
  expect(await page.getByText("Open an image below").count()).toBe(0);
  expect(troubles).toEqual([]);
  await context.close();
  other.close();
});

inChromium("files that cannot be shown are refused with the reason, and the page goes on", async () => {
  const { page, troubles } = visit;
  const alert = page.getByRole("alert").first();
  const png = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });
  await opens(page, png("empty.png", Buffer.alloc(0)));
  await page.getByText("empty.png is empty: it has 0 bytes").first().waitFor();
  expect(await alert.textContent()).toContain("copy or export it again");
  await opens(page, png("huge.png", greyPng(10_000, 10_000)));
  await page.getByText("huge.png has 100 megapixels (10000 × 10000), at most 50 can be opened").first().waitFor();
  await opens(page, png("notes.png", Buffer.from("not an image")));
  await page.getByText("notes.png is not an image that this browser can read").first().waitFor();
  // Their tiles would be broken pictures: they are named instead.
  await page.getByText("Left out: empty.png and 1 more. This browser finds no image there.").waitFor();
  expect(
    await page
      .locator(".strip li")
      .filter({ hasText: /notes|empty/ })
      .count(),
  ).toBe(0);
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await opens(page, png("thin.png", greyPng(4, 4000)));
  await page
    .getByText(/an image of 4 x 4000 would be seen as 0 x 64: wanted sides of 16 to 8192 pixels/)
    .first()
    .waitFor();
  await opens(page, image);
  await shown(page);
  await page.getByRole("button", { name: /^street\.png \d+ % certain/ }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(troubles).toEqual([]);
});

inChromium("a folder, the webcam and a film are shown; what is no image in a folder is passed over", async () => {
  const { page, troubles } = visit;
  const folder = join(root, "drive");
  await writeFiles(folder, {
    "b/10.png": await testImage(96, 64, 1).png().toBuffer(),
    "b/9.png": await testImage(96, 64, 2).png().toBuffer(),
    "notes.txt": "none",
  });
  // The browser asks for a folder where the page opens one.
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Open a folder" }).click(),
  ]);
  await chooser.setFiles(folder);
  await page.getByRole("button", { name: /^10\.png \d+ % certain/ }).waitFor();
  expect((await page.locator(".strip .title").allTextContents()).slice(0, 2)).toEqual(["9.png", "10.png"]);

  const sized = (size: string): Promise<unknown> => page.waitForSelector(`canvas[data-shown="${size}"]`);
  await page.getByRole("button", { name: "Webcam" }).click();
  await page.waitForFunction(() => {
    const size = document.querySelector<HTMLCanvasElement>("canvas[data-shown]")?.dataset.shown ?? "96x64";
    return size !== "96x64";
  });
  // A film of two seconds, recorded by the page itself.
  const film = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 96 });
    const context2d = canvas.getContext("2d")!;
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start();
    for (let i = 0; i < 10; i++) {
      context2d.fillStyle = `hsl(${36 * i} 80% 50%)`;
      context2d.fillRect(8 * i, 0, 80, 96);
      await new Promise((done) => setTimeout(done, 100));
    }
    await new Promise((done) => {
      recorder.onstop = done;
      recorder.stop();
    });
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  await opens(page, { name: "film.webm", mimeType: "video/webm", buffer: Buffer.from(film) });
  await sized("160x96");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.getByRole("button", { name: /^9\.png/ }).click();
  await sized("96x64");
  expect(troubles).toEqual([]);
});

inChromium("two models side by side; a second visit has threads and needs no network", async () => {
  const { page, context, troubles } = await open();
  await shown(page);
  expect(await page.locator(".badge").textContent()).toContain("1 thread");
  expect(await page.locator(".badge").textContent()).toContain("cross-origin isolation");
  await page.getByLabel("beside").selectOption("model.fp16");
  await page.waitForFunction(() => document.querySelectorAll("canvas[data-shown]").length === 2);
  await page.waitForFunction(() => document.querySelectorAll(".verdict .certain").length === 2);
  expect(await page.getByLabel(/^γ$/).count()).toBe(2);
  expect(await page.locator(".stage h2").allTextContents()).toEqual(["model", "model.fp16"]);

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  await shown(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await page.locator(".badge").textContent()).toMatch(/WebAssembly · \d threads/);
  expect(troubles).toEqual([]);
  await context.close();
});

inChromium(
  "WebGPU computes once it agrees with WebAssembly; lost, WebAssembly goes on and the page says so",
  async () => {
    const options = { serviceWorkers: "block" } as const;
    const { page, context, troubles } = await open(options, { query: "?backend=webgpu", prepare: withStandIn(0) });
    await shown(page);
    const badge = page.locator(".badge");
    await page.waitForFunction(() => /^WebGPU/.test(document.querySelector(".badge")!.textContent!));
    expect(await badge.textContent()).toMatch(/stand-in: agrees with WebAssembly to 0e\+0/i);
    await page.evaluate(() => new BroadcastChannel("gpu").postMessage("lost"));
    await page.getByRole("status").filter({ hasText: "The graphics processor was lost (driver restarted)" }).waitFor();
    expect(await badge.textContent()).toMatch(/^WebAssembly.*driver restarted/);
    await opens(page, image);
    await page.getByRole("button", { name: /^street\.png \d+ % certain/ }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  },
);

inChromium("WebGPU that is wrong by more than 1e-3 at one pixel is not used; a damaged model is not run", async () => {
  const options = { serviceWorkers: "block" } as const;
  const wrong = await open(options, { query: "?backend=webgpu", prepare: withStandIn(0.002) });
  await wrong.page
    .locator(".badge", { hasText: "WebGPU gives wrong results: its scores differ by 0.0020 on a test tile" })
    .waitFor();
  expect(await wrong.page.locator(".badge").textContent()).toMatch(/^WebAssembly/);
  await wrong.context.close();

  const bytes = await readFile(join(site, manifest.models[0]!.file));
  bytes[bytes.length >> 1]! ^= 1;
  const damaged = await open(options, {
    prepare: (context) => context.route("**/models/*.onnx", (route) => route.fulfill({ body: bytes })),
  });
  await damaged.page.getByText(/\.onnx has the sha256 [0-9a-f]{12}…, wanted [0-9a-f]{12}…/).waitFor();
  await damaged.context.close();
});

inChromium("axe-core finds nothing serious, light and dark, wide and narrow; the keyboard reaches γ", async () => {
  const { page, troubles } = visit;
  await page.evaluate(() => document.querySelector<HTMLElement>(".skip")!.focus());
  const before = await page.getByLabel(/^γ$/).inputValue();
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.id.startsWith("gamma-"))) break;
  }
  await page.keyboard.press("ArrowRight");
  expect(Number(await page.getByLabel(/^γ$/).inputValue())).toBeGreaterThan(Number(before));

  await page.locator(".badge summary").click();
  expect(await findingsInEveryLook(page)).toEqual([]);
  expect(troubles).toEqual([]);
});
