/**
 * Our step of the second stage against PyTorch's: the same networks, weights, batch and optimiser, in turns.
 *
 *   npm run bench:gamma -- [--threads 1,2] [--rounds 4] [--profiles paper,small] [--batch 4] [--size 128x256] [--alone]
 *
 * Needs PyTorch (Debian: python3-torch). Each side is a process of its own; of every two steps the second counts. With `--alone` there
 * is no other side and no need of PyTorch: images per second of our step, of `small` unless told otherwise. An image counts once,
 * though the target's are seen in two views. Copied to the sources of another commit, this folder measures them in the same way.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Peer, pythonWithTorch } from "../engine/peer.js";

const { values: options } = parseArgs({
  options: {
    threads: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "4" },
    profiles: { type: "string" },
    batch: { type: "string", default: "4" },
    size: { type: "string", default: "128x256" },
    alone: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const python = options.alone ? null : pythonWithTorch();
if (python === null && !options.alone) {
  console.error('bench: no Python with PyTorch found; on Debian: "apt-get install python3-torch"');
  process.exit(1);
}
const [height, width] = options.size.split("x").map(Number);
const [batch, rounds] = [Number(options.batch), Number(options.rounds)];
const profiles = (options.profiles ?? (options.alone ? "small" : "paper,small")).split(",");
console.log(`the second stage, ResNet18-DeepLabV3+, batches of ${batch}, ${height} x ${width}, 19 classes, AdamW`);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Init {
  readonly nodes?: number;
  readonly createSeconds?: number;
  readonly images?: number;
}

for (const profile of profiles) {
  for (const threads of options.threads.split(",").map(Number)) {
    const sides = [
      new Peer("gamma-ssl", process.execPath, [fileURLToPath(new URL("ourPeer.js", import.meta.url))], threads),
      ...(python === null ? [] : [new Peer("PyTorch", python, [join(root, "bench/gamma/torch_peer.py")], threads)]),
    ];
    const inits: Init[] = [];
    for (const side of sides) inits.push(await side.ask({ cmd: "init", threads, batch, height, width, profile }));
    const times: number[][] = sides.map(() => []);
    const losses: number[] = [];
    for (const side of sides) losses.push((await side.ask<{ loss: number }>({ cmd: "step", count: 1 })).loss); // warm up
    for (let round = 0; round < rounds; round++) {
      // The first of two finds caches full of the other side's weights, which no training does.
      for (const [i, side] of sides.entries())
        times[i]!.push((await side.ask<{ seconds: number[] }>({ cmd: "step", count: 2 })).seconds[1]!);
    }
    const memory: number[] = [];
    for (const side of sides) memory.push((await side.ask<{ bytes: number }>({ cmd: "memory" })).bytes / 2 ** 20);
    for (const side of sides) await side.quit();
    const [ours, torch] = times.map((seconds) => ({ best: Math.min(...seconds), median: median(seconds) }));
    const { nodes, createSeconds, images } = inits[0]!;
    const speed = (seconds: number): string => (images! / seconds).toFixed(1);
    console.log(
      `${profile.padEnd(6)} ${threads} thread${threads > 1 ? "s" : " "}  ours ${ours!.best.toFixed(2)} s  ` +
        (torch === undefined
          ? `${images} images a step, images/s best ${speed(ours!.best)} median ${speed(ours!.median)}  `
          : `PyTorch ${torch.best.toFixed(2)} s  best ${(ours!.best / torch.best).toFixed(2)}x  median ${(ours!.median / torch.median).toFixed(2)}x  `) +
        `memory ${memory.map((mb) => mb.toFixed(0)).join(" / ")} MiB  first loss ${losses.map((loss) => loss.toFixed(4)).join(" / ")}  ` +
        `${nodes} nodes, session ${createSeconds?.toFixed(1)} s`,
    );
  }
}
