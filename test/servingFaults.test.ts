import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../src/index.js";
import { exportedModel } from "./exportedModel.js";
import { testImage } from "./folders.js";
import { serve, talk, until } from "./serverProcess.js";

const TOKEN = "0123456789abcdef0123";
const authorization = `Bearer ${TOKEN}`;
let root: string;
let file: string;
let server: RunningServer;
let image: Uint8Array<ArrayBuffer>;
const notes: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "serving-faults-"));
  file = join(root, "tiny.onnx");
  await writeFile(file, await exportedModel());
  await writeFile(join(root, "other.onnx"), await exportedModel({ seed: 2, gamma: 0.3 }));
  image = new Uint8Array(await testImage(96, 64, 3).jpeg().toBuffer());
  const site = new Map([
    ["index.html", { type: "text/html", bytes: Buffer.from("<!doctype html><title>page</title>") }],
  ]);
  server = await serve([file], {
    ...{ port: 0, processes: 2, threads: 1, queue: 3, token: TOKEN, site: async () => site, watch: true },
    timeouts: { headers: 2000, request: 3000 },
    onNote: (note) => notes.push(note),
  });
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const status = () => server.status()[0]!;
const get = (path: string) => fetch(server.url + path, { headers: { authorization } });
const segment = (signal?: AbortSignal) =>
  fetch(`${server.url}/v1/segment`, {
    ...{ method: "POST", body: image, headers: { authorization } },
    ...(signal !== undefined && { signal }),
  });
/** Both processes hold still: what they are given neither ends nor fails. */
const hold = (): void => signal("SIGSTOP");
const release = (): void => signal("SIGCONT");
const signal = (name: NodeJS.Signals): void => {
  for (const pid of status().pids) process.kill(pid, name);
};

test("without the token there is nothing but health; with it there is the site, isolated and with a strict policy", async () => {
  for (const path of ["/", "/v2", "/metrics", "/openapi.json", "/index.html"]) {
    const refused = await fetch(server.url + path);
    expect([path, refused.status]).toEqual([path, 401]);
    expect(refused.headers.get("www-authenticate")).toContain("Basic");
    expect(await refused.text()).not.toContain(TOKEN);
  }
  expect((await fetch(`${server.url}/v2/health/ready`)).status).toBe(200);
  const page = await get("/");
  expect(await page.text()).toContain("<title>page</title>");
  expect(page.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const again = await fetch(server.url, { headers: { authorization, "if-none-match": page.headers.get("etag")! } });
  expect(again.status).toBe(304);
  expect((await fetch(server.url, { method: "POST", headers: { authorization } })).status).toBe(404);
});

test("a full queue answers 503 at once and says when to come again; what was accepted is answered", async () => {
  hold();
  const accepted = Array.from({ length: 2 + 3 }, () => segment());
  await until(() => status().running === 2 && status().queued === 3);
  const refused = await Promise.all(Array.from({ length: 10 }, () => segment()));
  expect(refused.map((one) => one.status)).toEqual(Array(10).fill(503));
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await refused[0]!.json()).toMatchObject({ error: "the queue is full: 3 requests" });
  // The processes stand still, and the server does not.
  expect((await get("/v2/health/live")).status).toBe(200);
  release();
  expect((await Promise.all(accepted)).map((one) => one.status)).toEqual(Array(5).fill(200));
});

test("a client that goes away frees its place", async () => {
  hold();
  const running = [segment(), segment()];
  await until(() => status().running === 2);
  const gone = new AbortController();
  const waiting = Array.from({ length: 3 }, () => segment(gone.signal).catch((error: Error) => error.name));
  await until(() => status().queued === 3);
  gone.abort();
  expect(await Promise.all(waiting)).toEqual(Array(3).fill("AbortError"));
  await until(() => status().queued === 0);
  release();
  expect((await Promise.all(running)).map((one) => one.status)).toEqual([200, 200]);
});

test("the request in a process that crashes gets 503, another process takes its place, the rest is answered", async () => {
  hold();
  const running = [segment(), segment()];
  await until(() => status().running === 2);
  const waiting = [segment(), segment()];
  await until(() => status().queued === 2);
  const [first, second] = status().pids;
  process.kill(first!, "SIGKILL");
  process.kill(second!, "SIGCONT");
  expect((await Promise.all(running)).map((one) => one.status).sort()).toEqual([200, 503]);
  expect((await Promise.all(waiting)).map((one) => one.status)).toEqual([200, 200]);
  await until(() => status().pids.length === 2);
  expect(status().pids).not.toContain(first);
  expect(notes.splice(0)).toEqual([`tiny: process ${first} ended (SIGKILL); starting another`]);
  expect((await get("/v2/health/ready")).status).toBe(200);
  expect(await (await get("/metrics")).text()).toContain('gssl_process_restarts_total{model="tiny"} 1');
});

test("a replacement is served without dropping a request; a broken one is refused and the old one goes on", async () => {
  const gammas = new Set<number>();
  const statuses = new Set<number>();
  let done = false;
  const client = (async () => {
    while (!done) {
      const response = await segment();
      statuses.add(response.status);
      gammas.add((await response.json()).gamma);
    }
  })();
  await until(() => gammas.has(0.09));
  const before = status().sha256;
  await writeFile(join(root, "broken.onnx"), "not a model");
  await rename(join(root, "broken.onnx"), file);
  expect(await server.reload()).toMatchObject([{ model: "tiny", result: "refused" }]);
  expect(status()).toMatchObject({ sha256: before, notReady: undefined });
  notes.length = 0;
  // Without a reload this time: the file changes, and is watched.
  await copyFile(join(root, "other.onnx"), join(root, "new.onnx"));
  await rename(join(root, "new.onnx"), file);
  await until(() => gammas.has(0.3));
  done = true;
  await client;
  expect([...statuses]).toEqual([200]);
  expect((await (await segment()).json()).gamma).toBe(0.3);
  expect(notes.filter((note) => !note.includes("is not served"))).toEqual([
    expect.stringContaining("was read again and is served now"),
  ]);
  expect(await server.reload()).toEqual([{ model: "tiny", result: "unchanged" }]);
  notes.length = 0;
});

test("a model that is put back while its replacement starts is served again", async () => {
  const before = status().sha256;
  const { gamma } = await (await segment()).json();
  const put = async (bytes: Uint8Array): Promise<void> => {
    await writeFile(join(root, "new.onnx"), bytes);
    await rename(join(root, "new.onnx"), file);
  };
  const kept = await readFile(file);
  await put(await exportedModel({ seed: 5, gamma: 0.6 }));
  const replaced = server.reload();
  // Long enough to read the file, and not to start processes.
  await new Promise((done) => setTimeout(done, 100));
  await put(kept);
  await Promise.all([replaced, server.reload()]);
  expect(status().sha256).toBe(before);
  expect((await (await segment()).json()).gamma).toBe(gamma);
  notes.length = 0;
});

test("requests that arrive too slowly get 408, while others are answered", async () => {
  const line = "POST /v1/segment HTTP/1.1\r\nHost: localhost\r\n";
  const slow = [
    ...Array.from({ length: 10 }, () => talk(server.url, [line])),
    ...Array.from({ length: 10 }, () =>
      talk(server.url, [`${line}Authorization: ${authorization}\r\nContent-Length: 5000\r\n\r\n`, "abc"]),
    ),
  ];
  expect((await segment()).status).toBe(200);
  const answers = await Promise.all(slow);
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(20).fill("HTTP/1.1 408"));
  expect(status()).toMatchObject({ queued: 0, running: 0 });
});

test("after five crashes within a minute the server is alive and not ready, and says why", async () => {
  for (let i = 0; i < 4; i++) {
    await until(() => status().pids.length > 0);
    const [pid] = status().pids;
    process.kill(pid!, "SIGSEGV");
    await until(() => !status().pids.includes(pid!));
  }
  const ready = await get("/v2/health/ready");
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { live: true, ready: false, error: expect.stringMatching(/^tiny: (processes ended 5 times|no process)/) },
  ]);
  const without = await fetch(`${server.url}/v2/health/ready`);
  expect([without.status, Object.keys(await without.clone().json())]).toEqual([503, ["live", "ready", "error"]]);
  expect(await without.text()).not.toContain("tiny");
  expect((await get("/v2/health/live")).status).toBe(200);
  expect((await get("/v2/models/tiny/ready")).status).toBe(503);
  expect(notes.filter((note) => note.includes("ended (SIGSEGV)"))).toHaveLength(4);
  await until(() => status().pids.length > 0);
  expect((await segment()).status).toBe(200);
});

/** `gssl serve`, as built. */
class ServeCommand {
  readonly #child: ChildProcess;
  readonly ended: Promise<[code: number | null, signal: string | null]>;
  out = "";

  constructor(...words: readonly string[]) {
    this.#child = spawn(process.execPath, ["dist/cli/main.js", "serve", ...words], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on("data", (text) => {
        this.out += text;
      });
    }
    this.ended = once(this.#child, "close") as Promise<[number | null, string | null]>;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

test("a file that is overwritten under a server changes nothing until it is asked to reload: not even a process that is started again", async () => {
  const path = join(root, "own.onnx");
  const [kept, other] = [await exportedModel({ gamma: 0.2 }), await exportedModel({ seed: 3, gamma: 0.4 })];
  await writeFile(path, kept);
  const site = async (models: readonly { readonly bytes: Uint8Array }[]) =>
    new Map(models.map(({ bytes }, i) => [`${i}.onnx`, { type: "application/octet-stream", bytes }]));
  const own = await serve([path], { port: 0, processes: 1, threads: 1, site });
  try {
    const gamma = async () =>
      (await (await fetch(`${own.url}/v1/segment`, { method: "POST", body: image })).json()).gamma;
    const onPage = async () => Buffer.from(await (await fetch(`${own.url}/0.onnx`)).arrayBuffer()).equals(kept);
    // In place, as \`cp\` does it, and not whole yet.
    await writeFile(path, other.subarray(0, other.length >> 1));
    const [pid] = own.status()[0]!.pids;
    process.kill(pid!, "SIGKILL");
    await until(() => own.status()[0]!.pids.some((one) => one !== pid));
    expect([await gamma(), await onPage()]).toEqual([0.2, true]);
    await writeFile(path, other);
    await new Promise((done) => setTimeout(done, 2500));
    expect([await gamma(), await onPage()]).toEqual([0.2, true]);
    expect(await own.reload()).toMatchObject([{ result: "replaced" }]);
    expect([await gamma(), await onPage()]).toEqual([0.4, false]);
  } finally {
    await own.close();
  }
});

test("SIGHUP reads models again; SIGTERM answers what was asked, then ends with code 0 and leaves no process behind", async () => {
  const command = new ServeCommand(file, "--port", "0", "--processes", "1", "--threads", "1", "--json");
  await until(() => command.out.includes("\n"));
  const { url, models } = JSON.parse(command.out) as { url: string; models: { pids: number[] }[] };
  const [pid] = models[0]!.pids;
  await copyFile(file, join(root, "kept.onnx"));
  await writeFile(file, "not a model");
  command.signal("SIGHUP");
  await until(() => command.out.includes("is not served"));
  process.kill(pid!, "SIGSTOP");
  const post = () => fetch(`${url}/v1/segment`, { method: "POST", body: image });
  const asked = [post(), post()];
  const running = async (): Promise<boolean> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return text.includes('gssl_running{model="tiny"} 1') && text.includes('gssl_queue_length{model="tiny"} 1');
  };
  await until(running);
  command.signal("SIGTERM");
  await until(() => command.out.includes("stopping"));
  const { port } = new URL(url);
  const refused = connect(Number(port), "127.0.0.1");
  expect(await once(refused, "error")).toMatchObject([{ code: "ECONNREFUSED" }]);
  process.kill(pid!, "SIGCONT");
  expect((await Promise.all(asked)).map((one) => one.status)).toEqual([200, 200]);
  expect(await command.ended).toEqual([0, null]);
  expect(() => process.kill(pid!, 0)).toThrow("ESRCH");
});
