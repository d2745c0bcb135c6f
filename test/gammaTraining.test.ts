import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tensors } from "../src/engine/tensor/hostTensor.js";
import { readSafetensors } from "../src/engine/tensor/safetensors.js";
import { openResults } from "../src/evaluation/results/openResults.js";
import { sampleFile } from "../src/runs/samples.js";
import { eventsOf, fieldsOf, text } from "./boardEvents.js";
import { expectCounted } from "./expectCounted.js";
import { testImage, writeFiles } from "./folders.js";
import { TrainProcess, weightsHash } from "./trainProcess.js";

let root: string;
const size = "height=32&width=64";
const run = (name: string, ...more: string[]): TrainProcess =>
  new TrainProcess([
    ...["--method", "gamma-ssl", "--source", `scenes:city?split=train&count=8&${size}`],
    ...["--target", `scenes:town?split=train&count=6&${size}`],
    ...["--target", `folder:${join(root, "frames")}?images=img&labels=gt&classes=cityscapes-train-ids`],
    ...["--config", join(root, "settings.json"), "--cache", join(root, "cache"), "--to", join(root, name)],
    ...more,
  ]);

const logOf = async (name: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(root, name, "log.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const settings = {
  method: "gamma-ssl",
  view: { height: 32, crop: [32, 48] },
  options: {
    network: { width: 0.125, features: 16 },
    batch: { source: 2, prototype: 2, target: 2 },
    training: { pretraining: 4, adaptation: 7, warmUp: 0.3 }, // 4, then 2 + 5, then 7
  },
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gamma-"));
  await writeFile(join(root, "settings.json"), JSON.stringify(settings));
  for (let i = 0; i < 4; i++) {
    // T-11: labels that lie beside an unlabelled target are not even opened. These could not be.
    const pair = {
      [`img/${i}.png`]: await testImage(64, 32, i).png().toBuffer(),
      [`gt/${i}.png`]: Buffer.from("no image"),
    };
    await writeFiles(join(root, "frames"), pair);
  }
  expect(await run("whole").ended).toMatchObject({ code: 0 });
}, 600_000);
afterAll(() => rm(root, { recursive: true, force: true }));

test("C-3, T-11: pre-training, one warm-up, then adaptation to each target, with the weights of each stage kept", async () => {
  expect((await readdir(join(root, "whole", "stages"))).sort()).toEqual([
    "1-pretraining.safetensors",
    "2-warm-up.safetensors",
    "3-adaptation-1.safetensors",
  ]);
  const lines = await logOf("whole");
  expect(lines.map(({ step }) => step)).toEqual(Array.from({ length: 18 }, (_, i) => i + 1));
  expect(lines.map((line) => "gamma" in line)).toEqual(lines.map((_, i) => i >= 4));
  // T-8: shares by class are logged, too.
  expect(lines.at(-1)!["class.certain"]).toHaveLength(19);
});

test("TensorBoard has one run with grouped tags, and panels of fixed images of both targets: image, segmentation, certain", async () => {
  const folder = join(root, "whole", "tensorboard");
  expect(await readdir(folder)).toHaveLength(1);
  const values = (await eventsOf(folder))
    .flatMap((event) => (event[5] === undefined ? [] : [fieldsOf(event[5] as Uint8Array)[1] as Uint8Array]))
    .map(fieldsOf);
  expect(new Set(values.map((value) => text(value[1]).split("/")[0]))).toContain("target");
  const panel = fieldsOf(values.at(-1)![4] as Uint8Array);
  const image = await sharp(panel[4] as Uint8Array)
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(image.info).toMatchObject({ width: 3 * 64, height: 32, channels: 3 });
  // The same below each other as a file: three images of each of the two targets.
  const sheet = await sharp(join(root, "whole", sampleFile(18))).metadata();
  expect([sheet.width, sheet.height]).toEqual([3 * 64, 6 * 32]);
});

test("the log of a training with `small` shows the method: M_γ masks L_c, γ is solved, L_u and L_p count, prototypes answer", async () => {
  const lines = (await logOf("whole")).filter((line) => "gamma" in line) as Record<string, number>[];
  const masked = lines.filter(({ counted, certain }) => counted! < 1 && Math.abs(counted! - certain!) < 1e-6);
  expect(masked.length / lines.length).toBeGreaterThanOrEqual(0.7);
  for (const { certain, consistent } of lines) expect(certain).toBeGreaterThanOrEqual(consistent! - 1e-6);
  expect(new Set(lines.map(({ gamma }) => gamma)).size).toBe(lines.length); // solved anew in every step
  for (const name of ["loss.uniformity", "loss.prototype"])
    expect(
      lines.every((line) => Number.isFinite(line[name])),
      name,
    ).toBe(true);
  const { profile, options } = JSON.parse(await readFile(join(root, "whole", "config.json"), "utf8"));
  expect(profile).toBe("small");
  expect(options.weights.uniformity).toBeGreaterThan(0);
  expect(options.weights.prototype).toBeGreaterThan(0);
  expect(options.branches).toEqual({ target: "head", query: "prototypes" });
});

test("T-5: the warm-up leaves E as pre-training left it; later stages leave its first layers", async () => {
  const weightsOf = async (...path: string[]): Promise<Tensors> =>
    readSafetensors(await readFile(join(root, "whole", ...path)), "weights").tensors;
  const [pretrained, warm, last] = [
    await weightsOf("stages", "1-pretraining.safetensors"),
    await weightsOf("stages", "2-warm-up.safetensors"),
    await weightsOf("weights.safetensors"),
  ];
  const changed = (from: Tensors, to: Tensors): string[] =>
    Object.keys(from).filter((name) => String(from[name]!.data) !== String(to[name]!.data));
  const parts = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.split(".")[0]!))].sort();
  expect(parts(changed(pretrained, warm))).toEqual(["projection", "segmentation_head"]);
  expect(parts(changed(warm, last))).toEqual(["decoder", "encoder", "projection", "segmentation_head"]);
  expect(changed(pretrained, last).filter((name) => /^encoder\.(conv1|bn1|layer1)\.|running_/.test(name))).toEqual([]);
});

test("T-7: stopped in a stage, and killed at the border of two, it ends with the same weights", async () => {
  const first = run("broken", "--checkpoint-every", "1");
  await first.until("step", 5);
  first.signal("SIGTERM", "command");
  expect((await first.ended).code).toBe(143);
  for (let attempt = 0; attempt < 3; attempt++) {
    const next = run("broken", "--checkpoint-every", "1");
    await next.until("saved", attempt + 1);
    next.signal("SIGKILL", "group");
    await next.ended;
  }
  expect(await run("broken").ended).toMatchObject({ code: 0 });
  expect(await weightsHash(join(root, "broken"))).toBe(await weightsHash(join(root, "whole")));
  expect(await readdir(join(root, "broken", "stages"))).toEqual(await readdir(join(root, "whole", "stages")));
  const [gamma, again] = await Promise.all(
    ["whole", "broken"].map((name) => readFile(join(root, name, "gamma.json"), "utf8")),
  );
  expect(again).toBe(gamma);
}, 600_000);

test("gssl evaluate scores it with its own method and with those of its head, at the γ of training", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["dist/cli/main.js", "evaluate", join(root, "whole"), "--json", "--cache", join(root, "cache")],
    ...["--on", `scenes:forest?split=test&count=3&${size}`],
  ]);
  const results = JSON.parse(stdout) as { method: string; pixels: number; auroc: number; atGamma: object | null }[];
  expect(results.map(({ method }) => method)).toEqual(["max-softmax", "entropy", "max-logit", "energy", "gamma-ssl"]);
  expect(results.map(({ pixels }) => pixels)).toEqual([6144, 6144, 6144, 6144, 6144]);
  for (const { result, examples } of await openResults(join(root, "whole"), () => {})) {
    expect(result.auroc).toBe(results.find(({ method }) => method === result.method)!.auroc);
    expectCounted(result, examples);
  }
  expect(results.map(({ atGamma }) => atGamma !== null)).toEqual([false, false, false, false, true]);
}, 600_000);

test("a training that began with weights from elsewhere has its own copy: the file may go once it has begun", async () => {
  const weights = join(root, "elsewhere.safetensors");
  await copyFile(join(root, "whole", "stages", "1-pretraining.safetensors"), weights);
  const options = { ...settings.options, training: { ...settings.options.training, pretraining: 0 } };
  await writeFile(join(root, "settings.json"), JSON.stringify({ ...settings, options }));
  const training = run("adapted", "--weights", weights);
  await training.until("step", 1);
  await rm(weights);
  expect(await training.ended).toMatchObject({ code: 0 });
  expect(await readFile(join(root, "adapted", "stages", "0-start.safetensors"))).toEqual(
    await readFile(join(root, "whole", "stages", "1-pretraining.safetensors")),
  );
  expect(existsSync(join(root, "adapted", "gamma.json"))).toBe(true);
}, 600_000);
