import { decode } from "fast-png";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportedBaseline, exportedModel } from "../../../test/exportedModel.js";
import { testImage } from "../../../test/folders.js";
import { decodeImage } from "../../data/images/readImage.js";
import { onlyCertain, overlay } from "../../data/images/sheet.js";
import { Segmenter } from "../../deployment/segmenter.js";
import { Answerer } from "./answerer.js";
import type { Job } from "./job.js";

const settings = { threads: 1, mostPixels: 100_000 };
let ours: Answerer;
let baseline: Answerer;
let segmenter: Segmenter;
let bytes: Uint8Array;
let image: Buffer;

beforeAll(async () => {
  bytes = await exportedModel();
  ours = await Answerer.open({ name: "tiny", file: "tiny.onnx", bytes }, settings);
  baseline = await Answerer.open({ name: "soft", file: "soft.onnx", bytes: await exportedBaseline() }, settings);
  segmenter = await Segmenter.open(bytes, { threads: 1 });
  image = await testImage(130, 90, 3).jpeg().toBuffer();
});
afterAll(() => Promise.all([ours.close(), baseline.close(), segmenter.close()]));

const ask = (answerer: Answerer, asked: Partial<Extract<Job, { kind: "segment" }>> = {}) =>
  answerer.answer({
    kind: "segment",
    body: image,
    output: "summary",
    type: "image/png",
    gamma: undefined,
    form: undefined,
    ...asked,
  });
const json = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

test("answers are those of a Segmenter in this process, pixel by pixel", async () => {
  const { image: rgb } = await decodeImage(image, "image.jpg");
  const { classes, uncertainty, certain, certainShare, names, colours } = await segmenter.segment(rgb);
  const summary = json((await ask(ours)).body);
  expect(summary).toMatchObject({ model: "tiny", gamma: 0.09, width: 130, height: 90, certainShare });
  expect(summary.classes.map(({ name }: { name: string }) => name)).toEqual(names);
  const shares: number[] = summary.classes.map(({ share }: { share: number }) => share);
  expect(shares).toEqual(names.map((_, k) => classes.filter((one) => one === k).length / classes.length));
  expect(certainShare).toBeGreaterThan(0);
  expect(certainShare).toBeLessThan(1);

  const map = decode((await ask(ours, { output: "classes" })).body);
  expect([map.width, map.height, map.channels, map.depth]).toEqual([130, 90, 1, 8]);
  expect(map.data).toEqual(classes);
  const doubt = await ask(ours, { output: "uncertainty" });
  const codes = decode(doubt.body);
  expect([codes.channels, codes.depth]).toEqual([1, 16]);
  const step = Number(doubt.headers["Gssl-Uncertainty-Step"]);
  const worst = Math.max(...Array.from(uncertainty, (value, i) => Math.abs(value - codes.data[i]! * step)));
  expect(worst).toBeLessThanOrEqual(step);
  const painted = overlay(rgb.rgb, classes, colours);
  expect(decode((await ask(ours, { output: "overlay" })).body).data).toEqual(painted);
  expect(decode((await ask(ours, { output: "certain" })).body).data).toEqual(onlyCertain(painted, certain!));
  const jpeg = await ask(ours, { output: "overlay", type: "image/jpeg" });
  expect([jpeg.type, (await sharp(jpeg.body).metadata()).format]).toEqual(["image/jpeg", "jpeg"]);
});

test("another γ moves what is certain, and nothing else", async () => {
  for (const [gamma, share] of [
    [-1, 1],
    [1, 0],
  ] as const) {
    const { body, certainShare } = await ask(ours, { gamma });
    expect([certainShare, json(body).gamma, json(body).outOfDomain]).toEqual([share, gamma, false]);
  }
});

test("a γ that no similarity can reach is refused with the range", async () => {
  for (const gamma of [7, -1.01, 1.01]) {
    await expect(ask(ours, { gamma })).rejects.toThrow(`gamma is ${gamma}, wanted a number from -1 to 1`);
    const inputs = [{ name: "image", shape: [1, 16, 16, 3], datatype: "UINT8", data: Array(768).fill(0) }];
    const body = Buffer.from(JSON.stringify({ parameters: { gamma }, inputs }));
    await expect(ours.answer({ kind: "infer", body, jsonBytes: undefined })).rejects.toThrow("from -1 to 1");
  }
});

test("a baseline has no γ: its uncertainty runs over what the image has, and nothing of it is certain", async () => {
  const { image: rgb } = await decodeImage(image, "image.jpg");
  const alone = await Segmenter.open(await exportedBaseline(), { threads: 1 });
  const { uncertainty } = await alone.segment(rgb);
  await alone.close();
  const { headers, body, certainShare } = await ask(baseline, { output: "uncertainty" });
  const [least, step] = [Number(headers["Gssl-Uncertainty-Least"]), Number(headers["Gssl-Uncertainty-Step"])];
  expect(certainShare).toBeNull();
  expect(least).toBe(Math.min(...uncertainty));
  const { data } = decode(body);
  expect(Math.max(...Array.from(uncertainty, (u, i) => Math.abs(u - least - data[i]! * step)))).toBeLessThan(step);
  await expect(ask(baseline, { output: "certain" })).rejects.toThrow("has no γ");
  await expect(ask(baseline, { gamma: 0.5 })).rejects.toThrow('"max-softmax", which has no γ');
});

test.each([
  ["nothing", Buffer.alloc(0), "image-empty"],
  ["text", Buffer.from("GET / HTTP/1.1"), "image-unsupported"],
  ["SVG, which sharp could draw", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image-unsupported"],
  ["a JPEG of three bytes", Buffer.from([0xff, 0xd8, 0xff]), "image-damaged"],
])("%s is refused by name", async (_, body, code) => {
  await expect(ask(ours, { body })).rejects.toMatchObject({ name: "DataError", code });
});

test("GIF and TIFF are images, and not taken", async () => {
  for (const format of ["gif", "tiff"] as const) {
    const body = await testImage(64, 64).toFormat(format).toBuffer();
    await expect(ask(ours, { body })).rejects.toMatchObject({ code: "image-unsupported" });
  }
  const body = await testImage(64, 64).webp().toBuffer();
  expect(json((await ask(ours, { body })).body)).toMatchObject({ width: 64, height: 64 });
});

test("one pixel too many is refused from the header; images of absurd shape before they are computed", async () => {
  const bomb = await testImage(400, 250).png().toBuffer();
  expect(json((await ask(ours, { body: bomb })).body).width).toBe(400);
  bomb.writeUInt32BE(100_001, 16);
  bomb.writeUInt32BE(1, 20);
  await expect(ask(ours, { body: bomb })).rejects.toMatchObject({ code: "image-too-large" });
  const line = await testImage(4000, 2).png().toBuffer();
  await expect(ask(ours, { body: line })).rejects.toThrow(
    "an image of 4000 x 2 would be seen as 128000 x 64: wanted sides of 16 to 8192",
  );
});

test("whatever a cut or changed image is, there is an answer or an error that names it", async () => {
  for (const length of [4, 100, 700, image.length - 2]) {
    await expect(ask(ours, { body: image.subarray(0, length) })).rejects.toMatchObject({ code: "image-damaged" });
  }
});

test("files that gssl export did not write are refused when they are opened", async () => {
  const open = (some: Uint8Array) => Answerer.open({ name: "x", file: "x.onnx", bytes: some }, settings);
  await expect(open(Buffer.from("no model"))).rejects.toThrow("x.onnx");
  await expect(open(bytes.subarray(0, bytes.length >> 1))).rejects.toThrow("x.onnx");
});
