import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Snapshot } from "../src/dashboard/protocol.js";
import { resolveConfig } from "../src/runs/config.js";
import { RunLock } from "../src/runs/runLock.js";
import { sampleFile } from "../src/runs/samples.js";
import { seriousFindings } from "./axe.js";
import { testImage, writeFiles } from "./folders.js";
import { talk, watch } from "./serverProcess.js";
import { tinyTraining } from "./trainProcess.js";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const inChromium = test.skipIf(!existsSync(CHROMIUM));

let root: string;
let browser: Browser | undefined;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "dashboard-"));
  if (existsSync(CHROMIUM))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
});
afterAll(async () => {
  await browser?.close();
  await rm(root, { recursive: true, force: true });
});

/** A run folder with a config and a log of so many steps, of 40. */
async function writeRun(name: string, steps: number): Promise<string> {
  const folder = join(root, name);
  const config = resolveConfig({
    ...{ method: "gamma-ssl", source: "scenes:city", targets: ["scenes:town"] },
    options: { training: { pretraining: 10, adaptation: 30, warmUp: 0 } },
  });
  await writeFiles(folder, { "config.json": JSON.stringify(config), "log.jsonl": linesOf(1, steps) });
  return folder;
}

const linesOf = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${lineOf(from + i)}\n`).join("");

const lineOf = (step: number): string =>
  JSON.stringify({
    ...{ step, loss: 10 / step, gamma: 0.5 + step / 1000, certain: step / 50, consistent: step / 60 },
    ...{ learningRate: 1e-3, gradientNorm: 3, "class.certain": [0, 1], "loss.supervised": 1 / step, counted: 0.5 },
  });

/** The stream of a dashboard, snapshot by snapshot. */
async function* snapshots(url: string): AsyncGenerator<Snapshot> {
  const { body } = await fetch(`${url}/events`);
  let text = "";
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    const events = `${text}${piece}`.split("\n\n");
    text = events.pop()!;
    for (const event of events) yield JSON.parse(event.replace(/^data: /, "")) as Snapshot;
  }
}

/** The first snapshot of a stream for which something holds. */
async function until(stream: AsyncGenerator<Snapshot>, holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done) throw new Error("the stream ended");
    if (holds(value)) return value;
  }
}

test("the stream has curves when they change and not otherwise, and a last snapshot when the server ends", async () => {
  const folder = await writeRun("streamed", 3);
  const dashboard = await watch([folder, join(root, "not there")], { awaited: true });
  expect(dashboard.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const stream = snapshots(dashboard.url);
  const first = (await stream.next()).value as Snapshot;
  expect(first.runs.map(({ name, state, step, steps }) => [name, state, step, steps])).toEqual([
    ["streamed", "ended", 3, 40],
    ["not there", "waiting", null, null],
  ]);
  expect(Object.keys(first.curves)).toEqual(["0", "1"]);
  expect(first.curves[0]!.loss!.steps).toEqual([1, 2, 3]);
  expect(first.runs[0]!.facts!.stages.map(({ name, steps }) => [name, steps])).toEqual([
    ["pretraining", 10],
    ["adaptation", 30],
  ]);
  expect(((await stream.next()).value as Snapshot).curves).toEqual({});
  // Half a line says nothing yet.
  const line = lineOf(4);
  await appendFile(join(folder, "log.jsonl"), line.slice(0, 20));
  expect(((await stream.next()).value as Snapshot).runs[0]!.step).toBe(3);
  await appendFile(join(folder, "log.jsonl"), `${line.slice(20)}\n`);
  const grown = await until(stream, ({ runs }) => runs[0]!.step === 4);
  expect(grown.curves[0]!.loss!.mean).toEqual([10, 5, 3.33333, 2.5]);
  // Begun again (--overwrite), with fewer lines.
  await writeFile(join(folder, "log.jsonl"), linesOf(1, 2));
  const again = await until(stream, ({ runs }) => runs[0]!.step === 2);
  expect(again.curves[0]!.loss!.steps).toEqual([1, 2]);
  await appendFile(join(folder, "log.jsonl"), linesOf(3, 7));
  const closed = dashboard.close();
  let points = 0;
  const last = await until(stream, ({ curves, ending }) => {
    points = curves[0]?.loss?.steps.length ?? points;
    return ending;
  });
  expect([last.runs[0]!.step, points]).toEqual([7, 7]);
  expect((await stream.next()).done).toBe(true);
  await closed;
});

test("S3: unauthorised requests are rejected as by gssl serve, and nothing but the page and samples is served", async () => {
  const folder = await writeRun("guarded", 1);
  const jpeg = await testImage(60, 20, 1).jpeg().toBuffer();
  await writeFiles(folder, { [sampleFile(500)]: jpeg, "samples/secret.jpg": "no" });
  const dashboard = await watch([folder]);
  const raw = async (target: string, ...headers: readonly string[]): Promise<string> => {
    const lines = [`GET ${target} HTTP/1.1`, "Connection: close", ...headers, "", ""];
    return (await talk(dashboard.url, [lines.join("\r\n")])).split("\r\n")[0]!;
  };
  const { host } = new URL(dashboard.url);
  for (const target of ["/", "/events", "/runs/0/samples/500"]) {
    expect(await raw(target, "Host: evil.example")).toContain("421");
    expect(await raw(target, `Host: ${host}`, "Origin: http://evil.example")).toContain("403");
  }
  const wrong = ["/runs/0/samples/secret", "/runs/0/samples/501", "/runs/1/samples/500", "/runs/x/samples/500"];
  for (const target of [...wrong, "/log.jsonl", "/runs/0/samples/5e2", "/runs/0/samples/..%2f..%2fconfig.json"])
    expect(await raw(target, `Host: ${host}`), target).toMatch(/ 40[04] /);
  expect(await raw("/runs/0/samples/../500", `Host: ${host}`)).toContain("400");
  expect((await fetch(`${dashboard.url}/events`, { method: "POST" })).status).toBe(404);
  const image = await fetch(`${dashboard.url}/runs/0/samples/500`);
  expect(image.headers.get("content-type")).toBe("image/jpeg");
  expect(Buffer.from(await image.arrayBuffer()).equals(jpeg)).toBe(true);
  const page = await fetch(dashboard.url);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await page.text()).not.toMatch(/https?:\/\//);
  await dashboard.close();
  await expect(watch([folder], { host: "0.0.0.0" })).rejects.toThrow("there is no token");
});

test("what cannot be watched is refused with what to do instead", async () => {
  await writeRun("several/a", 1);
  await writeRun("several/b", 1);
  await expect(watch([join(root, "several")])).rejects.toMatchObject({
    message: expect.stringContaining("is a folder of 2 runs"),
    hint: expect.stringMatching(/^gssl watch .*a .*b$/),
  });
  await expect(watch([join(root, "severel/a")])).rejects.toMatchObject({
    message: `${join(root, "severel/a")} is not there`,
  });
  await expect(watch([join(root, "severel")])).rejects.toMatchObject({
    hint: `did you mean ${join(root, "several")}?`,
  });
  await writeFiles(root, { "frames/0001.png": "" });
  await expect(watch([join(root, "frames")])).rejects.toThrow("frames is no run folder");
  await expect(watch([])).rejects.toThrow("a dashboard of 0 runs");
  await expect(watch(Array.from({ length: 15 }, (_, i) => join(root, `${i}`)))).rejects.toThrow("wanted 1 to 14");
});

/** A command of the built program. */
function gssl(...words: readonly string[]) {
  const child = spawn(process.execPath, ["dist/cli/main.js", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (text) => {
      said[name] += text;
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const says = async (what: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = what.exec(said.stdout) ?? what.exec(said.stderr);
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`${said.stdout}${said.stderr}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  return { child, said, ended, says };
}

test("gssl watch says where it listens, and Ctrl-C ends it with code 0", async () => {
  await mkdir(join(root, "none"));
  const { child, said, ended, says } = gssl("watch", join(root, "none"), "--json");
  await says(/\n/);
  const { url } = JSON.parse(said.stdout) as { url: string };
  const stream = snapshots(url);
  expect(((await stream.next()).value as Snapshot).runs[0]!.message).toBe("nothing was trained in this folder yet");
  child.kill("SIGINT");
  await until(stream, ({ ending }) => ending);
  expect(await ended).toBe(0);
});

test("gssl train --ui shows its training until the end; a port that is taken is no reason not to train", async () => {
  const train = ["train", ...tinyTraining, "--cache", join(root, "cache")];
  const run = gssl(...train, "--steps", "6", "--to", join(root, "shown"), "--ui");
  const [, url] = await run.says(/watch it at (\S+);/);
  let points = 0;
  const last = await until(snapshots(url!), ({ curves, ending }) => {
    points = curves[0]?.loss?.steps.length ?? points;
    return ending;
  });
  expect(await run.ended).toBe(0);
  expect(last.runs[0]).toMatchObject({ state: "finished", step: 6, steps: 6, samples: [6] });
  expect(points).toBe(6);
  expect((await readFile(join(root, "shown", sampleFile(6)))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));

  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  const { port } = taken.address() as AddressInfo;
  const other = gssl(...train, "--steps", "2", "--to", join(root, "unseen"), "--ui-port", String(port));
  expect(await other.ended).toBe(0);
  taken.close();
  expect(other.said.stderr).toContain(`warning: there is no page: port ${port} of 127.0.0.1 is taken`);
  expect(existsSync(join(root, "unseen", "weights.safetensors"))).toBe(true);
});

/** What a page complains about is kept. */
async function open(url: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<[Page, string[]]> {
  const page = await browser!.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(300_000); // for what hangs: a busy machine takes many times as long as an idle one
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => troubles.push(message.text()));
  page.on("dialog", (dialog) => troubles.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) troubles.push(request.url());
  });
  await page.goto(url);
  return [page, troubles];
}

inChromium("curves grow with the log, states change, runs lie over each other, and names stay text", async () => {
  const name = `"><img src=x onerror=alert(1)>`;
  const [live, other] = [await writeRun("live", 5), await writeRun(name, 20)];
  await writeFiles(live, { [sampleFile(4)]: await testImage(90, 20, 1).jpeg().toBuffer() });
  const lock = (await RunLock.take(live))!;
  const dashboard = await watch([live, other]);
  const [page, troubles] = await open(dashboard.url);
  const card = (run: string) => page.locator(`section.card`).filter({ has: page.getByText(run, { exact: true }) });
  await card("live").getByText("running", { exact: true }).waitFor();
  await card(name).getByText("ended", { exact: true }).waitFor();
  // Colour 0 is the first run; a curve of n points has n-1 lines.
  const lines = (run: number): Promise<number> =>
    page.evaluate(
      (colour) =>
        document.querySelector(`svg[data-plot="training loss"] .curve.s${colour}`)?.getAttribute("d")?.split("L")
          .length ?? 0,
      run,
    );
  const curve = (run: number, points: number): Promise<unknown> =>
    page.waitForFunction(
      ([colour, wanted]) =>
        document.querySelector(`svg[data-plot="training loss"] .curve.s${colour}`)?.getAttribute("d")?.split("L")
          .length === wanted,
      [run, points],
    );
  await curve(0, 5);
  await curve(1, 20);
  const plots = await page.locator(".plots").first().locator("h3").allTextContents();
  expect(plots).toEqual([
    ...["Total loss", "Supervised loss Ls", "Threshold γ", "Certain and consistent pixels", "Learning rate"],
  ]);
  // Indices stand below the line, as in the paper, in what is folded away, too.
  expect(await page.locator("h3 sub").allTextContents()).toEqual(["s"]);
  expect(await page.locator(".more summary").innerHTML()).toContain("Pixels counted in L<sub>c</sub>");
  // The last line is torn; the rest of it comes later.
  await appendFile(join(live, "log.jsonl"), `${linesOf(6, 9)}${lineOf(10).slice(0, 30)}`);
  await curve(0, 9);
  await card("live").getByText("9 of 40", { exact: true }).waitFor();
  await appendFile(join(live, "log.jsonl"), `${lineOf(10).slice(30)}\n`);
  await curve(0, 10);
  // A run is hidden by its name, and comes back.
  await page.getByRole("button", { name: "live" }).click();
  await curve(1, 20);
  expect(await lines(0)).toBe(0);
  await page.getByRole("button", { name: "live" }).click();
  await curve(0, 10);
  // NaN: the log says so, then the bundle.
  await appendFile(join(other, "log.jsonl"), '{"step":21,"loss":null}\n');
  await card(name).getByText("loss is not a number at step 21").waitFor();
  await writeFiles(other, { "non-finite-step-22/cause.txt": 'node "<b>conv1</b>" is the first to make NaN\n' });
  await card(name).getByText("diverged", { exact: true }).waitFor();
  await card(name)
    .getByText(/step 22 was not finite.*<b>conv1<\/b>/)
    .waitFor();
  await card(name)
    .getByText(/gssl replay .*non-finite-step-22/)
    .waitFor();
  // The predictions of the last step, then of a chosen one.
  await writeFiles(live, { [sampleFile(8)]: await testImage(90, 20, 2).jpeg().toBuffer() });
  await page.getByAltText("predictions of live after step 8").waitFor();
  await page.getByLabel("moment of the predictions of live").fill("0");
  await page.getByAltText("predictions of live after step 4").waitFor();
  // The rest of the steps, and the end.
  await appendFile(join(live, "log.jsonl"), linesOf(11, 40));
  await writeFiles(live, { "weights.safetensors": "", "gamma.json": "" });
  await lock.release();
  await card("live").getByText("finished", { exact: true }).waitFor();
  await curve(0, 40);
  await dashboard.close();
  await page.getByText("the dashboard has ended; this is how it was").waitFor();
  expect(await lines(0)).toBe(40);
  expect(troubles).toEqual([]);
  expect(await page.locator("img[src=x]").count()).toBe(0);
  await page.close();
});

inChromium(
  "axe-core finds nothing serious, light and dark, wide and narrow; nothing is wider than a phone",
  async () => {
    const runs = [await writeRun("first", 30), await writeRun("second", 40), join(root, "to come")];
    await mkdir(runs[2]!);
    await writeFiles(runs[1]!, {
      "log.jsonl": `${linesOf(1, 40)}{"step":40,"validation.prototypes.accuracy":0.5,"validation.head.accuracy":0.4}\nbroken\n`,
      [sampleFile(40)]: await testImage(90, 20, 3).jpeg().toBuffer(),
    });
    const dashboard = await watch(runs);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 390]) {
        const [page, troubles] = await open(dashboard.url, { colorScheme, viewport: { width, height: 850 } });
        await page.getByText("1 line of the log cannot be read, the first is line 42").waitFor();
        await page.getByText("Validation: accuracy").waitFor();
        for (const summary of await page.locator("summary").all()) await summary.click();
        expect(await seriousFindings(page), `${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(troubles).toEqual([]);
        await page.close();
      }
    }
    await dashboard.close();
  },
);
