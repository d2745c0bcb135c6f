import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { download } from "./download.js";

const contents = Uint8Array.from({ length: 1000 }, (_, i) => (i * 31) & 255);
const wanted = {
  address: "https://host/models/a.onnx",
  bytes: contents.length,
  sha256: createHash("sha256").update(contents).digest("hex"),
};

/** A server whose connections break after `gives` bytes each; `ranges`: whether it can go on where it broke. */
function breaking(gives: number, { ranges }: { readonly ranges: boolean }): { fetcher: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const fetcher = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const range = new Headers(init.headers).get("range");
    asked.push(range ?? "all");
    const from = range !== null && ranges ? Number(/\d+/.exec(range)![0]) : 0;
    const part = contents.slice(from, from + gives);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < part.length; i += 100) controller.enqueue(part.slice(i, i + 100));
      },
      pull(controller) {
        if (from + part.length < contents.length) controller.error(new Error("connection reset"));
        else controller.close();
      },
    });
    return new Response(body, { status: from > 0 ? 206 : 200 });
  };
  return { fetcher: fetcher as typeof fetch, asked };
}

test("a download that breaks goes on where it broke", async () => {
  const { fetcher, asked } = breaking(400, { ranges: true });
  const heard: number[] = [];
  expect(await download(wanted, (received) => heard.push(received), fetcher)).toEqual(contents);
  expect(asked).toEqual(["all", "bytes=400-", "bytes=800-"]);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(heard.at(-1)).toBe(1000);
});

test("a server that cannot go on is asked for all of it, four times at most", async () => {
  const { fetcher, asked } = breaking(700, { ranges: false });
  await expect(download(wanted, () => {}, fetcher)).rejects.toThrow("a.onnx could not be loaded: connection reset");
  expect(asked).toHaveLength(4);
});

test("other bytes, more bytes and an answer that is none are refused", async () => {
  const whole = breaking(1000, { ranges: true }).fetcher;
  const sha256 = "0".repeat(64);
  await expect(download({ ...wanted, sha256 }, () => {}, whole)).rejects.toThrow(
    /has the sha256 [0-9a-f]{12}…, wanted 0{12}…/,
  );
  await expect(download({ ...wanted, bytes: 900 }, () => {}, whole)).rejects.toThrow("longer than the 900 bytes");
  const missing = (async () => new Response("", { status: 404 })) as typeof fetch;
  await expect(download(wanted, () => {}, missing)).rejects.toThrow("the server answered 404");
});
