import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "fast-png";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, Segmenter } from "../src/index.js";
import { exportedBaseline, exportedModel } from "./exportedModel.js";
import { testImage } from "./folders.js";
import { serve, talk } from "./serverProcess.js";

const MOST_BYTES = 200_000;
let root: string;
let server: RunningServer;
let model: Uint8Array;
let image: Buffer;
const notes: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "serving-"));
  model = await exportedModel({ classes: ["road", '"><img src=x onerror=alert(1)>', "sky", "tree", "car"] });
  await writeFile(join(root, "tiny.onnx"), model);
  await writeFile(join(root, "soft.onnx"), await exportedBaseline());
  image = await testImage(130, 90, 3).jpeg().toBuffer();
  server = await serve([join(root, "tiny.onnx"), `baseline=${join(root, "soft.onnx")}`], {
    ...{ port: 0, processes: 1, threads: 1, mostBytes: MOST_BYTES, mostPixels: 1_000_000 },
    onNote: (note) => notes.push(note),
  });
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(server.url + path, init);
const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> =>
  ask(path, { method: "POST", body: body as BodyInit, headers });
const segment = (query = "", body: Uint8Array = image, headers = {}): Promise<Response> =>
  send(`/v1/segment${query}`, body, headers);

async function alone<Result>(work: (segmenter: Segmenter) => Promise<Result>): Promise<Result> {
  const segmenter = await Segmenter.open(model, { threads: 1 });
  try {
    return await work(segmenter);
  } finally {
    await segmenter.close();
  }
}

test("an image is answered as by a Segmenter in this process, at its own size", async () => {
  await writeFile(join(root, "image.jpg"), image);
  const expected = await alone((segmenter) => segmenter.segment(join(root, "image.jpg")));
  const summary = await segment();
  expect([summary.status, summary.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(await summary.json()).toMatchObject({
    model: "tiny",
    width: 130,
    height: 90,
    certainShare: expected.certainShare,
  });
  const classes = await segment("?output=classes");
  expect(classes.headers.get("gssl-model")).toBe("tiny");
  expect(decode(await classes.arrayBuffer()).data).toEqual(expected.classes);
  const byAccept = await segment("", image, { accept: "image/png" });
  expect(decode(await byAccept.arrayBuffer()).data).toEqual(expected.classes);
  for (const output of ["uncertainty", "certain", "overlay"]) {
    const { width, height, depth } = decode(await (await segment(`?output=${output}`)).arrayBuffer());
    expect([width, height, depth]).toEqual([130, 90, output === "uncertainty" ? 16 : 8]);
  }
  expect((await (await segment("?gamma=-1")).json()).certainShare).toBe(1);
  expect(await (await segment("?model=baseline")).json()).toMatchObject({
    model: "baseline",
    gamma: null,
    certainShare: null,
  });
});

test("a form with one image is answered as the image itself, within the same limits", async () => {
  const form = (bytes: Uint8Array, name = "image"): RequestInit => {
    const body = new FormData();
    body.append(name, new Blob([new Uint8Array(bytes)]), "image.jpg");
    return { method: "POST", body };
  };
  for (const query of ["", "?output=classes", "?output=certain&gamma=0.2"]) {
    const [raw, sent] = [await segment(query), await ask(`/v1/segment${query}`, form(image))];
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, raw.headers.get("content-type")]);
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from(await raw.arrayBuffer()));
  }
  const refusals: [RequestInit, number, string][] = [
    [form(image, "file"), 400, 'a field "file", wanted "image" alone'],
    [form(Buffer.from("hello")), 415, "not JPEG, PNG or WebP"],
    [form(Buffer.alloc(0)), 400, "empty"],
    [form(Buffer.alloc(MOST_BYTES)), 413, `more than ${MOST_BYTES} bytes`],
  ];
  for (const [init, status, message] of refusals) {
    const answer = await ask("/v1/segment", init);
    expect([answer.status, (await answer.json()).error]).toEqual([status, expect.stringContaining(message)]);
  }
});

test("equal requests have equal answers, and many at once each their own", async () => {
  const images = await Promise.all(
    [1, 2, 3, 4].map((seed) =>
      testImage(80 + seed, 64, seed)
        .png()
        .toBuffer(),
    ),
  );
  const sizes = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => (await (await segment("", images[i % 4]!)).json()).width),
  );
  expect(sizes).toEqual(Array.from({ length: 12 }, (_, i) => 81 + (i % 4)));
  const answers = await Promise.all(
    [0, 1, 2].map(async () => Buffer.from(await (await segment("?output=certain")).arrayBuffer())),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test("the Open Inference Protocol: server, models and health as it has them", async () => {
  const json = async (path: string) => {
    const response = await ask(path);
    return [response.status, await response.json()];
  };
  expect(await json("/v2")).toEqual([
    200,
    { name: "gssl serve", version: expect.any(String), extensions: ["binary_tensor_data"] },
  ]);
  expect(await json("/v2/")).toEqual(await json("/v2"));
  expect(await json("/v2/health/live")).toEqual([200, { live: true }]);
  expect(await json("/v2/health/ready")).toEqual([200, { live: true, ready: true }]);
  expect(await json("/v2/models/tiny/ready")).toEqual([200, { name: "tiny", ready: true }]);
  const map = [1, -1, -1];
  expect(await json("/v2/models/tiny")).toEqual([
    200,
    {
      name: "tiny",
      platform: "onnx_onnxv1",
      inputs: [{ name: "image", datatype: "UINT8", shape: [...map, 3] }],
      outputs: [
        { name: "class", datatype: "UINT8", shape: map },
        { name: "similarity", datatype: "FP32", shape: map },
        { name: "certain", datatype: "UINT8", shape: map },
        { name: "distance", datatype: "FP32", shape: [1] },
      ],
      properties: expect.objectContaining({ method: "gamma-ssl", gamma: "0.09", height: "64" }),
    },
  ]);
  expect((await json("/v2/models/baseline"))[1]).toMatchObject({
    outputs: [{ name: "class" }, { name: "uncertainty" }],
  });
  for (const path of ["/v2/models/nobody", "/v2/models/nobody/ready"]) {
    expect(await json(path)).toEqual([404, expect.objectContaining({ error: "there is no such model" })]);
  }
});

const [height, width] = [64, 80];
const pixels = Uint8Array.from({ length: height * width * 3 }, (_, i) => (i * 7) % 256);
const input = { name: "image", shape: [1, height, width, 3], datatype: "UINT8" };

test("inference by JSON and by bytes gives the tensors of the model", async () => {
  const expected = await alone((segmenter) => segmenter.segment({ width, height, rgb: pixels }));
  const request = { id: "42", inputs: [{ ...input, data: [...pixels] }] };
  const plain = await send("/v2/models/tiny/infer", JSON.stringify(request), { "content-type": "application/json" });
  const { outputs, ...rest } = await plain.json();
  expect([plain.status, rest]).toEqual([200, { model_name: "tiny", id: "42" }]);
  expect(outputs.map(({ data: _, ...about }: { data: unknown }) => about)).toEqual([
    { name: "class", shape: [1, height, width], datatype: "UINT8" },
    { name: "similarity", shape: [1, height, width], datatype: "FP32" },
    { name: "certain", shape: [1, height, width], datatype: "UINT8" },
    { name: "distance", shape: [1], datatype: "FP32" },
  ]);
  expect(Uint8Array.from(outputs[0].data)).toEqual(expected.classes);
  expect(Uint8Array.from(outputs[2].data)).toEqual(expected.certain);
  expect(outputs[3].data).toEqual([expected.distance]);
  expect(Float32Array.from(outputs[1].data, (value: number) => 1 - Math.fround(value))).toEqual(expected.uncertainty);

  const head = JSON.stringify({
    inputs: [{ ...input, parameters: { binary_data_size: pixels.length } }],
    parameters: { gamma: 1 },
    outputs: [
      { name: "certain", parameters: { binary_data: true } },
      { name: "class", parameters: { binary_data: true } },
    ],
  });
  const binary = await send("/v2/models/tiny/infer", Buffer.concat([Buffer.from(head), pixels]), {
    "content-type": "application/octet-stream",
    "inference-header-content-length": String(head.length),
  });
  const length = Number(binary.headers.get("inference-header-content-length"));
  const bytes = Buffer.from(await binary.arrayBuffer());
  const count = height * width;
  expect(JSON.parse(bytes.subarray(0, length).toString())).toEqual({
    model_name: "tiny",
    outputs: ["certain", "class"].map((name) => ({
      ...{ name, shape: [1, height, width], datatype: "UINT8" },
      parameters: { binary_data_size: count },
    })),
  });
  expect(new Uint8Array(bytes.subarray(length, length + count))).toEqual(new Uint8Array(count));
  expect(new Uint8Array(bytes.subarray(length + count))).toEqual(expected.classes);
});

test.each([
  ["{", 400, "not JSON"],
  ["", 400, "empty"],
  [JSON.stringify({ inputs: [{ ...input, name: "input0", data: [] }] }), 400, 'wanted one: "image"'],
  [JSON.stringify({ inputs: [{ ...input, data: [1, 2] }] }), 400, "has 2 values"],
  [JSON.stringify({ inputs: [{ ...input, shape: [1, 64, 1, 3], data: Array(192).fill(0) }] }), 400, "sides of 16"],
  [JSON.stringify({ inputs: [{ ...input, shape: [1, 100_000, 100, 3], data: [] }] }), 413, "at most 1000000"],
])("a bad inference request (%#) has an error object", async (body, status, message) => {
  const response = await send("/v2/models/tiny/infer", body);
  expect([response.status, (await response.json()).error]).toEqual([status, expect.stringContaining(message)]);
});

test("bad images and parameters are refused with what is wrong, and the server goes on", async () => {
  const bomb = await testImage(64, 64).png().toBuffer();
  bomb.writeUInt32BE(1001, 16);
  bomb.writeUInt32BE(1000, 20);
  const cases: [string, Uint8Array, Record<string, string>, number, string][] = [
    ["", Buffer.alloc(0), {}, 400, "empty"],
    ["", Buffer.from("hello"), {}, 415, "not JPEG, PNG or WebP"],
    ["", image.subarray(0, image.length - 50), {}, 422, "cut off"],
    ["", bomb, {}, 413, "1001 x 1000 pixels, more than 1000000"],
    ["", Buffer.alloc(MOST_BYTES + 1), {}, 413, `more than ${MOST_BYTES} bytes`],
    ["", image, { "content-encoding": "gzip" }, 415, 'encoded as "gzip"'],
    ["", image, { "content-type": "multipart/form-data; boundary=x" }, 400, "the form cannot be read"],
    ["?gamma=7", image, {}, 400, "gamma is 7, wanted a number from -1 to 1"],
    ["?gamma=high", image, {}, 400, 'gamma is "high"'],
    ["?modle=tiny", image, {}, 400, 'there is no parameter "modle"'],
    ["?output=mask", image, {}, 400, 'output is "mask"'],
    ["?output=classes", image, { accept: "application/json" }, 406, "none of image/png"],
    ["?model=baseline&gamma=1", image, {}, 400, "has no γ"],
    ["?model=baseline&output=certain", image, {}, 400, "has no γ"],
  ];
  for (const [query, body, headers, status, message] of cases) {
    const response = await segment(query, body, headers);
    expect([response.status, (await response.json()).error]).toEqual([status, expect.stringContaining(message)]);
  }
  expect((await segment()).status).toBe(200);
});

const traversals = [
  ...[
    "..",
    "../tiny",
    "..%2ftiny",
    "%2e%2e%2ftiny",
    "%252e%252e%252ftiny",
    "..%5ctiny",
    "..\\tiny",
    "%00",
    "tiny%00.onnx",
  ],
  ...[
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "file:%2f%2f%2fetc%2fpasswd",
    "http:%2f%2fevil.example%2fm.onnx",
    "%5c%5chost%5cm",
  ],
  ...["tiny.onnx", "./tiny", "%2e/tiny", "TINY", "tiny%20", "%c0%ae%c0%ae", "%", "__proto__", "constructor", "data:,x"],
];

test.each(traversals)("model name %s leads nowhere", async (name) => {
  for (const path of [`/v2/models/${name}`, `/v2/models/${name}/infer`, `/v2/models/${name}/ready`]) {
    const method = path.endsWith("infer") ? "POST" : "GET";
    // As it is: fetch would tidy the path first.
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect((await talk(server.url, [head])).split("\r\n")[0]).toMatch(/^HTTP\/1\.1 (400|404|405) /);
  }
  if (name !== "..\\tiny" && name !== "%") {
    expect((await segment(`?model=${name}`)).status).toBe(404);
  }
});

test("requests for other hosts and from other origins are rejected, and no header lets other origins in", async () => {
  const first = async (...headers: string[]): Promise<string> => {
    const lines = ["GET /v2 HTTP/1.1", ...headers, "Connection: close", "", ""];
    return (await talk(server.url, [lines.join("\r\n")])).split("\r\n")[0]!;
  };
  expect(await first("Host: localhost")).toBe("HTTP/1.1 200 OK");
  expect(await first("Host: evil.example")).toBe("HTTP/1.1 421 Misdirected Request");
  expect(await first()).toBe("HTTP/1.1 400 Bad Request");
  expect(await first("Host: localhost", "Origin: http://evil.example")).toBe("HTTP/1.1 403 Forbidden");
  const options = await ask("/v1/segment", { method: "OPTIONS" });
  const allowed = [...options.headers.keys()].filter((name) => name.startsWith("access-control"));
  expect([options.status, options.headers.get("allow"), allowed]).toEqual([405, "POST", []]);
});

test("a body without end is cut off, and one that is shorter than it says is never computed", async () => {
  const head = "POST /v1/segment HTTP/1.1\r\nHost: localhost\r\n";
  const piece = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const endless = await talk(server.url, [
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array<string>(6).fill(piece),
  ]);
  expect(endless).toMatch(/^HTTP\/1\.1 413 .*\r\n/);
  expect(endless.toLowerCase()).toContain("connection: close");
  const both = await talk(server.url, [`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`]);
  expect(both).toMatch(/^HTTP\/1\.1 400 /);
  const longer = await talk(server.url, [`${head}Content-Length: 3\r\n\r\n`, "abcGARBAGE\r\n\r\n"]);
  expect(longer).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test("every address of the document takes its own methods, and no others", async () => {
  const { openapi, paths } = await (await ask("/openapi.json")).json();
  expect(openapi).toBe("3.1.0");
  for (const path of Object.keys(paths)) {
    const wrong = await ask(path.replace("{model}", "tiny"), { method: "DELETE" });
    expect([path, wrong.status]).toEqual([path, 405]);
  }
  expect((await ask("/admin")).status).toBe(404);
  expect((await ask("/v2/models/tiny", { method: "HEAD" })).status).toBe(200);
});

test("the page lists the API without scripts, and names from a model cannot add any", async () => {
  const page = await ask("/");
  const html = await page.text();
  expect(page.headers.get("content-type")).toContain("text/html");
  for (const path of ["/v1/segment", "/v2/models/{model}/infer", "/metrics"]) expect(html).toContain(path);
  expect(html).not.toContain("<script");
  expect(html).not.toContain("onerror=");
  expect(await (await ask("/docs")).text()).toBe(html);
});

test("metrics count requests by route, and unknown addresses and models add no labels", async () => {
  for (let i = 0; i < 20; i++) await ask(`/nowhere/${i}`);
  const text = await (await ask("/metrics")).text();
  const sum = (name: string): number =>
    text
      .split("\n")
      .filter((line) => line.startsWith(name))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  expect(sum('gssl_requests_total{route="/v1/segment",status="200"}')).toBeGreaterThan(10);
  expect(sum('gssl_requests_total{route="/v1/segment",status="422"}')).toBe(1);
  expect(sum('gssl_uncertain_share_count{model="tiny"}')).toBeGreaterThan(10);
  expect(sum('gssl_compute_seconds_count{model="baseline"}')).toBeGreaterThan(0);
  expect([sum('gssl_queue_length{model="tiny"}'), sum('gssl_ready{model="tiny"}')]).toEqual([0, 1]);
  expect(text).not.toContain("nowhere");
  expect(text).not.toContain("nobody");
  const labels = new Set(text.match(/route="[^"]*"/g));
  expect(labels.size).toBeLessThanOrEqual(12);
});

test("nothing of all this made a process end or the server fail", () => {
  expect(notes).toEqual([]);
});

test("options that cannot work are refused before a process is started", async () => {
  const file = join(root, "tiny.onnx");
  await expect(serve([file], { host: "0.0.0.0" })).rejects.toThrow("there is no token");
  await expect(serve([file], { host: "0.0.0.0", token: "short" })).rejects.toThrow("at least 16");
  await expect(serve([file], { allowOrigins: ["example.com"] })).rejects.toThrow('"example.com" is not an origin');
  await expect(serve([join(root, "none.onnx")])).rejects.toThrow("none.onnx: is not there");
  await expect(serve([join(root, "image.jpg")])).rejects.toThrow("image.jpg");
  await expect(serve([file, file])).rejects.toThrow('two models have the name "tiny"');
  const port = Number(new URL(server.url).port);
  await expect(serve([file], { port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
});
