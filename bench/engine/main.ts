/**
 * Our training step against PyTorch's: the same ResNet18-DeepLabV3+, weights, batch and optimiser, step by step in turns.
 *
 *   npm run bench:engine -- [--threads 1,2] [--rounds 8] [--optimizers sgd,adamw] [--parts steps,ops,profile,memory]
 *     [--only relu] [--batch 8] [--size 128x256] [--json bench/results/engine.json]
 *   npm run bench:engine -- --device webgpu [--width 0.125] …     our step on a device against our own on the CPU, steps only
 *
 * Needs PyTorch (Debian: python3-torch), but for `--device`. Each side is a process of its own; the best step of each counts, since others
 * on the machine can only make a step slower. Memory is the peak of the whole process.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { requireDevice, softwareGpu } from "./device.js";
import { flatMemory } from "./flatMemory.js";
import { opCases } from "./ops.js";
import { Peer, pythonWithTorch } from "./peer.js";

const { values: options } = parseArgs({
  options: {
    threads: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "8" },
    optimizers: { type: "string", default: "sgd,adamw" },
    parts: { type: "string", default: "steps,ops,profile,memory" },
    only: { type: "string", default: "" },
    batch: { type: "string", default: "8" },
    size: { type: "string", default: "128x256" },
    device: { type: "string", default: "cpu" },
    width: { type: "string", default: "1" },
    json: { type: "string", default: "bench/results/engine.json" },
  },
});
const [height, width] = options.size.split("x").map(Number);
const SIZE = { batch: Number(options.batch), height, width, classes: 19 };
const { device } = options;
await requireDevice(device);

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const python = device === "cpu" ? pythonWithTorch() : null;
if (python === null && device === "cpu") {
  console.error('bench: no Python with PyTorch found; on Debian: "apt-get install python3-torch"');
  process.exit(1);
}
const ours = (threads: number): Peer =>
  new Peer("gamma-ssl", process.execPath, [fileURLToPath(new URL("ourPeer.js", import.meta.url))], threads);
const torch = (threads: number): Peer =>
  new Peer("PyTorch", python!, [join(root, "bench/engine/torch_peer.py")], threads);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(seconds < 0.1 ? 1 : 0)} ms`.padStart(9);
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** What each side is asked for beside the size: where to compute, and there how wide a network. */
const [own, other] =
  device === "cpu" ? [{}, {}] : [device, "cpu"].map((one) => ({ device: one, multiplier: Number(options.width) }));
const against = device === "cpu" ? "PyTorch" : "ours on the CPU";

async function compareSteps(optimizer: string, threads: number, rounds: number) {
  const sides = [ours(threads), device === "cpu" ? torch(threads) : ours(threads)] as const;
  const inits = [];
  for (const [i, side] of sides.entries()) {
    const init = { cmd: "init", threads, ...SIZE, optimizer, ...[own, other][i] };
    inits.push(await side.ask<{ createSeconds?: number; nodes?: number }>(init));
  }
  const times: [number[], number[]] = [[], []];
  const losses: [number, number] = [0, 0];
  const first: number[] = [];
  for (const side of sides) {
    first.push((await side.ask<{ loss: number }>({ cmd: "step", count: 1 })).loss);
    await side.ask({ cmd: "step", count: 1 }); // warm up
  }
  for (let round = 0; round < rounds; round++) {
    for (const [i, side] of sides.entries()) {
      const { seconds, loss } = await side.ask<{ seconds: number[]; loss: number }>({ cmd: "step", count: 2 });
      times[i]!.push(...seconds);
      losses[i] = loss;
    }
  }
  const memory = [];
  for (const side of sides) memory.push((await side.ask<{ bytes: number }>({ cmd: "memory" })).bytes);
  for (const side of sides) await side.quit();
  const result = {
    optimizer,
    threads,
    ours: { best: Math.min(...times[0]), median: median(times[0]), bytes: memory[0]!, ...inits[0] },
    [against]: { best: Math.min(...times[1]), median: median(times[1]), bytes: memory[1]! },
    first,
    losses,
  };
  const shown = (pair: readonly number[]): string => pair.map((loss) => loss.toFixed(4)).join(" / ");
  const [us, them] = [result.ours, result[against] as Omit<typeof result.ours, "nodes" | "createSeconds">];
  console.log(
    `${optimizer.padEnd(6)} ${threads} thread${threads > 1 ? "s" : " "}  ours ${milliseconds(us.best)}  ${against} ${milliseconds(them.best)}  ` +
      `best ${(us.best / them.best).toFixed(2)}x  median ${(us.median / them.median).toFixed(2)}x  ` +
      `memory ${megabytes(us.bytes)} / ${megabytes(them.bytes)} = ${(us.bytes / them.bytes).toFixed(2)}x  ` +
      `session ${us.createSeconds?.toFixed(2)} s, ${us.nodes} nodes  losses first ${shown(first)}, last ${shown(losses)}`,
  );
  return result;
}

async function compareOps(threads: number) {
  const [us, them] = [ours(threads), torch(threads)];
  const rows = [];
  console.log(
    `\nsingle ops, ${threads} thread${threads > 1 ? "s" : ""}, best of 3 x 5      forward                            forward and gradients`,
  );
  for (const [label, one] of Object.entries(opCases)) {
    if (!label.includes(options.only)) continue;
    const best = { ours: { forward: Infinity, both: Infinity }, torch: { forward: Infinity, both: Infinity } };
    for (let round = 0; round < 3; round++) {
      for (const [side, record] of [
        [us, best.ours],
        [them, best.torch],
      ] as const) {
        const answer = await side.ask<Record<"forward" | "both", { best: number }>>({
          cmd: "op",
          ...one,
          threads,
          repeat: 5,
        });
        record.forward = Math.min(record.forward, answer.forward.best);
        record.both = Math.min(record.both, answer.both.best);
      }
    }
    const cell = (key: "forward" | "both"): string =>
      `${milliseconds(best.ours[key])} / ${milliseconds(best.torch[key])} = ${(best.ours[key] / best.torch[key]).toFixed(2)}x`;
    console.log(`  ${label.padEnd(28)} ${cell("forward")}    ${cell("both")}`);
    rows.push({ label, threads, ...best });
  }
  await us.quit();
  await them.quit();
  return rows;
}

/** The ops that take the most time of our step, from the runtime's own profile. */
async function dominatingOps(): Promise<{ op: string; milliseconds: number }[]> {
  const folder = mkdtempSync(join(tmpdir(), "gssl-bench-"));
  const peer = ours(1);
  await peer.ask({ cmd: "init", threads: 1, ...SIZE, optimizer: "sgd", profile: join(folder, "step") });
  await peer.ask({ cmd: "step", count: 4 });
  await peer.quit();
  const events: { cat?: string; name: string; dur: number; args: { op_name?: string } }[] = JSON.parse(
    readFileSync(join(folder, readdirSync(folder)[0]!), "utf8"),
  );
  rmSync(folder, { recursive: true });
  const runs = events.filter((event) => event.name === "model_run").length;
  const totals = new Map<string, number>();
  for (const { cat, name, dur, args } of events) {
    if (cat === "Node" && name.endsWith("_kernel_time"))
      totals.set(args.op_name!, (totals.get(args.op_name!) ?? 0) + dur / runs / 1000);
  }
  const ranked = [...totals]
    .map(([op, ms]) => ({ op, milliseconds: ms }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
  console.log(
    `\nwhere our step spends its time (profiled, 1 thread): ${ranked
      .slice(0, 8)
      .map(({ op, milliseconds: ms }) => `${op} ${ms.toFixed(0)} ms`)
      .join(", ")}`,
  );
  return ranked;
}

const threadCounts = options.threads.split(",").map(Number);
const wants = (part: string): boolean =>
  options.parts.split(",").includes(part) && (device === "cpu" || part === "steps");
console.log(
  `ResNet18-DeepLabV3+${device === "cpu" ? "" : ` on ${device}, width ${options.width}`}, batch ${SIZE.batch} of ${SIZE.height} x ${SIZE.width}, ${SIZE.classes} classes, ${cpus()[0]?.model ?? "?"}`,
);
const steps = [];
for (const optimizer of wants("steps") ? options.optimizers.split(",") : []) {
  for (const threads of threadCounts) steps.push(await compareSteps(optimizer, threads, Number(options.rounds)));
}
const ops = [];
for (const threads of wants("ops") ? threadCounts : []) ops.push(...(await compareOps(threads)));
const profile = wants("profile") ? await dominatingOps() : [];
const memory = wants("memory") ? await flatMemory(1000) : [];

mkdirSync(dirname(options.json), { recursive: true });
const results = {
  size: SIZE,
  device,
  note: softwareGpu(device),
  cpu: cpus()[0]?.model,
  node: process.version,
  steps,
  ops,
  profile,
  memory,
};
writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
if (results.note !== null) console.log(results.note);
console.log(`\nwritten to ${options.json}`);
