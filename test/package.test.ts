import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import { chromium } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportModel, Segmenter } from "../src/index.js";
import { runtimeFiles, runtimeFolder } from "../src/viewer/manifest.js";
import { testImage } from "./folders.js";
import { served } from "./staticServer.js";
import { writeTinyRun } from "./tinyRun.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SOURCE = "scenes:city?split=train&count=4&height=64&width=96";
const run = promisify(execFile);
let root: string;
let project: string;
let files: string[];
let model: string;
let image: string;

/** The tarball unpacked into an empty project, whose other packages are ours: nothing is downloaded. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "package-"));
  project = join(root, "project");
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", root]);
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  await mkdir(join(project, "node_modules"), { recursive: true });
  await run("tar", ["xzf", join(root, packed.filename), "-C", root]);
  await cp(join(root, "package"), join(project, "node_modules", "gamma-ssl"), { recursive: true });
  for (const name of await readdir("node_modules")) {
    if (!name.startsWith(".")) await symlink(resolve("node_modules", name), join(project, "node_modules", name));
  }
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));

  const folder = join(root, "run");
  await writeTinyRun(folder, { source: SOURCE, targets: [SOURCE], classes: 19, trace: [{ gamma: 0.9, certain: 0.5 }] });
  model = join(folder, "model.onnx");
  await exportModel(folder, { cache: join(root, "cache"), threads: 1 });
  image = join(root, "image.png");
  await testImage(150, 90, 7).png().toFile(image);
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("the tarball has what README links to, and no tests, maps or build records", async () => {
  expect(
    files.filter((path) =>
      /\.test\.|\.map$|tsbuildinfo|\/testing\/|^src\/|^docs\/scenes\/|^dist\/cli\/.*\.d\.ts$/.test(path),
    ),
  ).toEqual([]);
  const links = (await readFile("README.md", "utf8")).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g);
  const missing = [...links]
    .map(([, path]) => path!)
    .filter((path) => !path.startsWith("experiments/") && !files.includes(path));
  expect(missing).toEqual([]);
  const { bin, exports } = JSON.parse(await readFile("package.json", "utf8"));
  const named = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry!),
  );
  const page = ["index.html", "sw.js", `${runtimeFolder}/${runtimeFiles.wasm[0]}`].map(
    (name) => `dist/viewer/page/${name}`,
  );
  for (const path of [bin.gssl, ...named, ...page]) expect(files).toContain((path as string).replace("./", ""));
});

test("gssl runs from an empty project, and says its version", async () => {
  const main = join(project, "node_modules", "gamma-ssl", "dist", "cli", "main.js");
  expect((await readFile(main, "utf8")).split("\n")[0]).toBe("#!/usr/bin/env node");
  const { stdout } = await run(process.execPath, [main, "--help"], { cwd: project });
  expect(stdout).toContain("Usage: gssl <command> [flags]");
  const version = await run(process.execPath, [main, "--version"], { cwd: project });
  expect(version.stdout.trim()).toBe(JSON.parse(await readFile("package.json", "utf8")).version);
});

test("examples for Node type-check against the package and run", async () => {
  await cp("examples/node", project, { recursive: true });
  const options = {
    module: "NodeNext",
    target: "ES2023",
    lib: ["ES2023"],
    strict: true,
    types: ["node"],
    outDir: "out",
    rootDir: ".",
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  await run(resolve("node_modules/.bin/tsc"), ["-p", project]);
  const example = async (name: string, ...words: string[]): Promise<string> =>
    (await run(process.execPath, [join(project, "out", name), ...words], { cwd: root })).stdout;

  const segmenter = await Segmenter.open(model, { threads: 1 });
  const wanted = await segmenter.segment(image);
  await segmenter.close();
  expect([wanted.width, wanted.height, wanted.classes.length]).toEqual([150, 90, 13_500]);
  expect(new Set(wanted.certain)).toEqual(new Set([0, 1]));
  const said = await example("segment.js", model, image);
  expect(said).toContain(`150 x 90, ${(100 * wanted.certainShare!).toFixed(1)} % certain\n`);
  await expect(example("segment.js", image, image)).rejects.toMatchObject({
    stderr: expect.stringContaining("is not an ONNX file"),
  });

  expect(await example("metrics.js")).toMatch(/^accuracy 0\.800, AUROC 0\.878, MaxA_MD 0\.\d{3}\n$/);

  const stopped = await example("train.js", join(root, "trained"), "3");
  expect(stopped).toMatch(/^from step 0 of 8\nstep 1: loss [\d.]+\n/);
  expect(stopped.trim().split("\n").at(-1)).toBe("stopped");
  const [, last] = /step (\d+): [^\n]*\nstopped/.exec(stopped)!;
  const rest = await example("train.js", join(root, "trained"));
  expect(rest.startsWith(`from step ${last} of 8\n`)).toBe(true);
  expect(rest.trim().split("\n").at(-1)).toBe("finished");
}, 600_000);

test.skipIf(!existsSync(CHROMIUM))(
  "the web example bundles with Vite, and segments an image in Chromium as Node does",
  async () => {
    const web = join(project, "web");
    await cp("examples/web", web, { recursive: true });
    await mkdir(join(web, "public"));
    await cp(model, join(web, "public", "model.onnx"));
    await build({ root: web, base: "./", logLevel: "error", build: { target: "es2022" } });
    const server = await served(join(web, "dist"));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction("document.querySelector('output').textContent === '19 classes'", undefined, {
        timeout: 120_000,
      });
      await page.setInputFiles("input", image);
      await page.waitForFunction("/certain/.test(document.querySelector('output').textContent)", undefined, {
        timeout: 120_000,
      });
      expect(errors).toEqual([]);
      const drawn = await page.evaluate("document.querySelector('canvas').toDataURL('image/png').split(',')[1]");
      const { data, width, height, channels } = decode(Buffer.from(drawn as string, "base64"));
      expect([width, height]).toEqual([150, 90]);

      const segmenter = await Segmenter.open(model, { threads: 1 });
      const { classes, certain, colours } = await segmenter.segment(image);
      await segmenter.close();
      const same = classes.filter((index, i) => {
        const colour = certain![i] === 0 ? [0, 0, 0] : colours[index]!;
        return colour.every((level, c) => data[channels * i + c] === level);
      });
      // Scaled by other code, pixels at a decision boundary may fall on its other side.
      expect(same.length / classes.length).toBeGreaterThan(0.97);
    } finally {
      await browser.close();
      server.close();
    }
  },
  600_000,
);
