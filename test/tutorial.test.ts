import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readSample } from "../src/data/datasets/readSample.js";
import { openDataset } from "../src/data/open/openDataset.js";
import type { ResultFile } from "../src/evaluation/results/resultFile.js";
import { withFolder } from "./folders.js";

const blocks = [...(await readFile("docs/tutorial.md", "utf8")).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language, text]) => ({ language: language!, text: text! }),
);

/** Drawn scenes as somebody's own images: `img` beside `gt`, or images alone. */
async function drawFolder(root: string, name: string, spec: string, labelled: boolean): Promise<void> {
  const dataset = await openDataset(`scenes:${spec}&height=64&width=128`, { cache: join(root, "cache") });
  const [images, maps] = labelled ? [join(root, name, "img"), join(root, name, "gt")] : [join(root, name), null];
  await mkdir(images, { recursive: true });
  if (maps !== null) await mkdir(maps);
  for (const [i, item] of dataset.items.entries()) {
    const { rgb, labels, width, height } = await readSample(dataset, item);
    const file = `${String(i + 1).padStart(4, "0")}.png`;
    await sharp(rgb, { raw: { width, height, channels: 3 } }).toFile(join(images, file));
    if (maps === null) continue;
    const grey = sharp(labels!, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
    await grey.toFile(join(maps, file));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** A line without its numbers, which differ between kinds of processors, and without its columns. */
const shape = (line: string): string =>
  line
    .replaceAll(/[\d.]+/g, "#")
    .replaceAll(/\s+/g, " ")
    .trim();

test("every block of docs/tutorial.md runs in order, and prints what the page shows", () =>
  withFolder(async (root) => {
    await drawFolder(root, "day", "city?split=train&count=64&seed=1", true);
    await drawFolder(root, "dusk", "dusk?split=train&count=24&seed=1", false);
    await drawFolder(root, "dusk-labelled", "dusk?split=test&count=12&seed=2", true);
    await mkdir(join(root, "bin"));
    await mkdir(join(root, "node_modules"));
    await symlink(resolve("."), join(root, "node_modules", "gamma-ssl"));
    const gssl = `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`;
    await writeFile(join(root, "bin", "gssl"), gssl, { mode: 0o755 });

    const shell = { cwd: root, env: { ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` } };
    const port = String(await freePort());
    let server: ChildProcess | null = null;
    let printed = "";
    const ran: string[] = [];
    try {
      for (const { language, text } of blocks) {
        if (language === "json") await writeFile(join(root, "day", "classes.json"), text);
        else if (language === "ts") await writeFile(join(root, "segment.mjs"), text);
        else if (language === "text") {
          const lines = printed.split("\n").map(shape);
          if (ran.length > 0) expect(lines).toEqual(expect.arrayContaining(text.trim().split("\n").map(shape)));
        } else {
          const command = text.replaceAll("8000", port);
          ran.push(text);
          if (command.startsWith("gssl serve")) {
            server = spawn("bash", ["-c", `exec ${command}`], { ...shell, stdio: ["ignore", "pipe", "inherit"] });
            await once(server.stdout!, "data");
          } else {
            const { stdout, stderr } = await promisify(execFile)("bash", ["-ec", command], shell);
            printed = `${stderr}\n${stdout}`;
            if (command.startsWith("curl")) expect(JSON.parse(stdout)).toHaveProperty("certainShare");
          }
        }
      }
    } finally {
      if (server !== null && server.exitCode === null) {
        server.kill("SIGTERM");
        await once(server, "exit");
      }
    }
    expect(ran).toHaveLength(11);
    expect(printed).toMatch(/^128 x 64, \d+\.\d % certain$/m);
    expect((await sharp(join(root, "certain.png")).metadata()).width).toBe(128);
    expect((await sharp(join(root, "predictions", "class", "0001.png")).metadata()).width).toBe(128);

    const [source, target] = ["day-images-img-labels-gt-split-val", "dusk-labelled-images-img-labels-gt"];
    const resultOf = async (dataset: string, method: string): Promise<ResultFile> => {
      const file = join(root, "runs", "street", "results", `folder-${dataset}`, `${method}.json`);
      return JSON.parse(await readFile(file, "utf8"));
    };
    const [bySource, byTarget] = [await resultOf(source!, "gamma-ssl"), await resultOf(target!, "gamma-ssl")];
    expect(bySource.accuracy! - byTarget.accuracy!).toBeGreaterThan(0.1);
    expect(byTarget.auroc!).toBeGreaterThan((await resultOf(target!, "max-softmax")).auroc!);
  }));
