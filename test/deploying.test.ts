import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readImage } from "../src/data/images/readImage.js";
import { openDataset } from "../src/data/open/openDataset.js";
import { certainShare, DeployedModel } from "../src/deployment/model/deployedModel.js";
import { predict as predictHere } from "../src/deployment/predict/predict.js";
import type { Predictions } from "../src/deployment/predict/predictions.js";
import { nodeRuntime } from "../src/engine/runtime/node.js";
import { testImage, writeFiles } from "./folders.js";
import { writeTinyRun } from "./tinyRun.js";

const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
let root: string;
let model: string;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
async function gssl(words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const started = promisify(execFile)(process.execPath, ["dist/cli/main.js", ...words], { env });
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}
const predict = (to: string, ...inputs: string[]): Promise<Ended> =>
  gssl(["predict", model, ...inputs, "--to", join(root, to), "--json"]);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "predict-"));
  const run = join(root, "run");
  await writeTinyRun(run, { source: SOURCE, targets: [SOURCE], classes: 19, trace: [{ gamma: 0.9, certain: 0.5 }] });
  model = join(run, "model.onnx");
  const { code, stderr } = await gssl(["export", run, "--cache", join(root, "cache")]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const source = await openDataset(SOURCE, { cache: join(root, "cache") });
  await writeFiles(join(root, "mixed-sizes"), {
    "a.png": await readFile(source.items[0]!.image),
    "drive/b.jpg": await testImage(130, 70, 2).jpeg().toBuffer(),
    "drive/a.png": await testImage(65, 129, 3).png().toBuffer(),
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test("each image leaves classes, uncertainty, an overlay and what is certain, at its own size", async () => {
  const { code, stdout } = await predict("out", join(root, "mixed-sizes"));
  expect(code).toBe(0);
  const said = JSON.parse(stdout) as Predictions;
  expect(JSON.parse(await readFile(join(root, "out", "predictions.json"), "utf8"))).toEqual(said);
  expect(said.images.map(({ id, width, height }) => [id, width, height])).toEqual([
    ["a", 96, 64],
    ["drive/a", 65, 129],
    ["drive/b", 130, 70],
  ]);
  expect(said.images.map(({ scaled }) => [scaled.width, scaled.height])).toEqual([
    [96, 64],
    [32, 64],
    [119, 64],
  ]);
  expect(said.skipped).toEqual([]);

  const opened = await DeployedModel.read(nodeRuntime(), model);
  const wanted = await opened.predict(await readImage(join(root, "mixed-sizes", "a.png")));
  const other = await readImage(join(root, "mixed-sizes", "drive", "b.jpg"));
  const seen = await opened.predict(other);
  await opened.close();
  const enlarged = decode(await readFile(join(root, "out", "class", "drive", "b.png")));
  expect([enlarged.width, enlarged.height]).toEqual([130, 70]);
  expect(enlarged.data).toEqual(seen.predicted);
  expect(new Set(wanted.predicted).size).toBeGreaterThan(5);
  expect(new Set(wanted.certain)).toEqual(new Set([0, 1]));
  const classes = decode(await readFile(join(root, "out", "class", "a.png")));
  expect([classes.width, classes.height, classes.depth, classes.channels]).toEqual([96, 64, 8, 1]);
  expect(classes.data).toEqual(wanted.predicted);
  const codes = decode(await readFile(join(root, "out", "uncertainty", "a.png")));
  expect([codes.depth, codes.channels]).toEqual([16, 1]);
  codes.data.forEach((code, i) => {
    expect(Math.abs(code * said.uncertaintyStep - (1 - wanted.similarity[i]!))).toBeLessThan(said.uncertaintyStep);
  });
  expect(said.images[0]!.certain).toBe(certainShare(wanted));
  const { data } = await sharp(join(root, "out", "certain", "a.jpg"))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dark = wanted.certain.filter((yes, i) => yes === 0 && data[3 * i]! + data[3 * i + 1]! < 90).length;
  expect(dark).toBeGreaterThan(0.8 * wanted.certain.filter((yes) => yes === 0).length);
});

test("G6: gssl score reads what predict wrote of images twice as high as those of training, with the classes.json beside it", async () => {
  const source = await openDataset(SOURCE, { cache: join(root, "cache") });
  const twice = (file: string): Promise<Buffer> =>
    sharp(file).resize({ width: 192, kernel: "nearest" }).toColourspace("b-w").png().toBuffer();
  const files: Record<string, Buffer> = {};
  for (const { id, image, labels } of source.items) {
    files[`images/${id}.png`] = await sharp(image).resize({ width: 192, kernel: "nearest" }).png().toBuffer();
    files[`labels/${id}.png`] = await twice(labels!);
  }
  await writeFiles(root, files);
  expect((await predict("scored", join(root, "images"))).code).toBe(0);
  const words = ["score", "--labels", join(root, "labels"), "--predicted", join(root, "scored", "class"), "--json"];
  const { code, stdout, stderr } = await gssl([
    ...[...words, "--uncertainty", join(root, "scored", "uncertainty")],
    ...["--classes", join(root, "scored", "classes.json"), "--unknown", "19"],
  ]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(stdout)).toMatchObject({ images: 4, accuracy: expect.any(Number) });
  expect((JSON.parse(stdout) as { classes: { name: string }[] }).classes[0]!.name).toBe("road");
});

const CHROMIUM = "/usr/bin/chromium";

test.skipIf(!existsSync(CHROMIUM))(
  "in chromium: the gallery opens from a file, shows every panel, sorts and filters, and hostile names stay text",
  async () => {
    const names = ['"><img src=x onerror=window.hit=1>', "a#b?c%20d", "<script>window.hit=1<x>", "plain"];
    const pages = Object.fromEntries(
      await Promise.all(
        names.map(async (name, k) => [
          `${name}.png`,
          await testImage(96 + k, 64, k)
            .png()
            .toBuffer(),
        ]),
      ),
    );
    await writeFiles(join(root, "nasty"), pages);
    expect((await predict("gallery-out", join(root, "nasty"))).code).toBe(0);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await (
          await browser.newContext({ colorScheme, viewport: { width: 1300, height: 2000 } })
        ).newPage();
        const troubles: string[] = [];
        page.on("console", (message) => troubles.push(message.text()));
        page.on("pageerror", (error) => troubles.push(error.message));
        await page.goto(`file://${join(root, "gallery-out", "index.html")}`);
        await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
        expect(await page.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth > 90))).toEqual(
          Array.from({ length: 4 * names.length }, () => true),
        );
        expect(new Set(await page.locator("figcaption > b:first-child").allTextContents())).toEqual(new Set(names));
        expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
        await page.selectOption("#order", "certain");
        const shares = await page
          .locator(".card")
          .evaluateAll((cards) => cards.map((card) => Number((card as HTMLElement).dataset.certain)));
        expect(shares).toEqual(shares.toSorted((a, b) => a - b));
        expect(await page.locator(".legend li").count()).toBe(19 + 2);
        await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
        const found = await page.evaluate(() =>
          (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string }[] }> } }).axe
            .run()
            .then(({ violations }) => violations.map(({ id, impact }) => `${impact} ${id}`)),
        );
        expect(found.filter((text) => /^(serious|critical)/.test(text))).toEqual([]);
        expect(troubles).toEqual([]);
      }
    } finally {
      await browser.close();
    }
  },
  120_000,
);

test("a damaged image is named and passed over, and the exit code says so", async () => {
  const images = join(root, "some-bad");
  const whole = await testImage(96, 64, 1).jpeg().toBuffer();
  await writeFiles(images, {
    "good.jpg": whole,
    "cut.jpg": whole.subarray(0, 500),
    "empty.png": "",
    "note.jpg": "hello",
  });
  const { code, stdout, stderr } = await predict("bad-out", images);
  const { images: done, skipped } = JSON.parse(stdout) as Predictions;
  expect(code).toBe(1);
  expect(done.map(({ id }) => id)).toEqual(["good"]);
  expect(skipped.map(({ reason }) => reason.slice(images.length + 1))).toEqual([
    "cut.jpg: does not decode: it is cut off",
    "empty.png: the file is empty",
    "note.jpg: is text, not an image that can be read",
  ]);
  for (const name of ["cut.jpg", "empty.png", "note.jpg"]) expect(stderr).toContain(name);
});

test("patterns and single files are taken, files of one name kept apart, and nothing that is not there", async () => {
  const { stdout } = await predict(
    "mixed",
    join(root, "mixed-sizes", "*.png"),
    join(root, "mixed-sizes", "drive", "a.png"),
  );
  expect((JSON.parse(stdout) as Predictions).images.map(({ id }) => id)).toEqual(["a", "a-2"]);
  expect(await readdir(join(root, "mixed", "class"))).toEqual(["a-2.png", "a.png"]);
  for (const [input, why] of [
    [join(root, "no-such-folder"), "there is nothing at"],
    [join(root, "mixed-sizes", "*.gif"), "there is no image in"],
  ] as const) {
    const { code, stderr } = await predict("none", input);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  }
});

test("a video without ffmpeg is refused before anything is written", async () => {
  const film = join(root, "film.mp4");
  await writeFile(film, "");
  const words = ["predict", model, film, "--to", join(root, "no-ffmpeg")];
  const { code, stderr } = await gssl(words, { ...process.env, PATH: join(root, "empty") });
  expect([code, stderr]).toEqual([1, expect.stringContaining("there is no ffmpeg to read it with")]);
  expect(await readdir(root)).not.toContain("no-ffmpeg");
});

test("frames of a video come through ffmpeg, one by one; a film that ends badly is named", async () => {
  const bin = join(root, "bin");
  // Stands in for ffmpeg: two frames of 96 x 64, and a complaint where the film is called broken.
  const script = `#!${process.execPath}
if (process.argv.includes("-version")) process.exit(0);
if (process.argv.includes("-encoders")) { console.log(" V....D libx264  H.264\\n V....D mpeg4  MPEG-4"); process.exit(0); }
if (process.argv.includes("rawvideo")) {
  const chunks = [];
  require("node:fs").writeFileSync(process.argv.at(-1).slice(5), "begun");
  process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
    const words = process.argv.slice(2).join(" ");
    require("node:fs").writeFileSync(process.argv.at(-1).slice(5), words + " " + Buffer.concat(chunks).length);
  });
  return;
}
if (process.argv.at(-1) !== "-") { console.error("Stream #0:0: Video: h264, yuv420p, 96x64, 29.97 fps, 30 tbr"); process.exit(1); }
const film = process.argv[process.argv.indexOf("-i") + 1];
if (!film.startsWith("file:")) process.exit(9);
const frame = (level) => Buffer.concat([Buffer.from("P6\\n96 64\\n255\\n"), Buffer.alloc(96 * 64 * 3, level)]);
process.stdout.write(Buffer.concat([frame(40), frame(200)]));
if (film.includes("broken")) { process.stderr.write("moov atom not found\\n"); process.exitCode = 1; }
`;
  await writeFiles(bin, { ffmpeg: script });
  await chmod(join(bin, "ffmpeg"), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const films = ["drive.mp4", "broken.mov"].map((name) => join(root, name));
  for (const film of films) await writeFile(film, "");
  const { code, stdout } = await gssl(["predict", model, ...films, "--to", join(root, "film"), "--json"], env);
  const { images, videos, skipped } = JSON.parse(stdout) as Predictions;
  expect(images.map(({ id, frame }) => [id, frame])).toEqual([
    ["drive/000001", 1],
    ["drive/000002", 2],
    ["broken/000001", 1],
    ["broken/000002", 2],
  ]);
  expect(videos).toEqual([{ file: films[0], video: join("video", "drive.mp4") }]);
  const encoded = await readFile(join(root, "film", "video", "drive.mp4"), "utf8");
  expect(encoded).toContain("-s 192x64 -r 29.97 -i -");
  expect(encoded).toContain("-c:v libx264");
  expect(encoded.endsWith(` ${2 * 192 * 64 * 3}`)).toBe(true);
  expect(await readdir(join(root, "film", "video"))).toEqual(["drive.mp4"]);
  const page = await readFile(join(root, "film", "index.html"), "utf8");
  expect(page).toContain('<video controls preload="metadata" src="video/drive.mp4"');
  expect(page.match(/class="card"/g)).toHaveLength(2); // the first frame of each
  expect(skipped[0]!.reason).toContain("after 2 frames: moov atom not found");
  expect(code).toBe(1);
  expect(decode(await readFile(join(root, "film", "class", "drive", "000002.png")))).toMatchObject({
    width: 96,
    height: 64,
  });

  const stop = new AbortController();
  vi.stubEnv("PATH", env.PATH);
  const cancelled = predictHere(model, [films[0]!], {
    to: join(root, "cancelled"),
    signal: stop.signal,
    onImage({ frame }) {
      if (frame !== 2) return;
      while (!existsSync(join(root, "cancelled", "video", "drive.mp4.tmp")));
      stop.abort();
    },
  });
  await expect(cancelled).rejects.toThrow("aborted");
  vi.unstubAllEnvs();
  expect(await readdir(join(root, "cancelled", "video"))).toEqual([]);
});

test("γ of fresh images goes from gssl threshold into gssl export", async () => {
  const cache = ["--cache", join(root, "cache"), "--json"];
  const run = join(root, "run");
  const solved = await gssl(["threshold", run, "--target", `folder:${join(root, "images")}`, "--views", "1", ...cache]);
  const { gamma, dataset } = JSON.parse(solved.stdout) as { gamma: number; dataset: string };
  const [file] = (await readdir(join(run, "thresholds"))).filter((name) => name.endsWith(".json"));
  const threshold = ["--gamma", join(run, "thresholds", file!)];
  const exported = await gssl(["export", run, "--to", join(root, "elsewhere.onnx"), ...threshold, ...cache]);
  expect(JSON.parse(exported.stdout)).toMatchObject({ gamma, gammaFrom: dataset });
  const misused = await gssl(["threshold", run, "--target", SOURCE, "--share", "2", ...cache]);
  expect([misused.code, misused.stderr]).toEqual([2, expect.stringContaining('--share is "2"')]);
});

test("what is no model of ours is refused by name", async () => {
  const notes = join(root, "notes.onnx");
  await writeFile(notes, "not a model");
  const { code, stderr } = await gssl(["predict", notes, join(root, "mixed-sizes"), "--to", join(root, "x")]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("notes.onnx is not an ONNX file")]);
});
