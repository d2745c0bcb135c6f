/**
 * Time per image of the deployed model, against PyTorch's eager network with the same weights, and against our own network
 * without prototypes (the head's classes and largest softmax, deployed the same way). In turns of two, of which the second is
 * timed; best and median.
 *
 *   npm run bench:inference -- [--threads 1,2] [--rounds 12] [--profiles paper,small] [--sizes 256x512,480x960] [--device webgpu]
 *
 * Needs PyTorch (Debian: python3-torch); without it, ours and vanilla are timed alone. With another `--device` than cpu the other
 * side is the same model on the CPU.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { requireDevice, softwareGpu } from "../engine/device.js";
import { Peer, pythonWithTorch } from "../engine/peer.js";

const { values: options } = parseArgs({
  options: {
    threads: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "12" },
    profiles: { type: "string", default: "paper,small" },
    sizes: { type: "string", default: "256x512,480x960" },
    device: { type: "string", default: "cpu" },
  },
});
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const { device } = options;
await requireDevice(device);
const python = device === "cpu" ? pythonWithTorch() : null;
if (device === "cpu" && python === null) console.log("no Python with PyTorch found: ours against vanilla only");
const ours = (threads: number): Peer =>
  new Peer("gamma-ssl", process.execPath, [fileURLToPath(new URL("ourPeer.js", import.meta.url))], threads);

/** Whom the deployed model is compared with beside vanilla. */
function opponent(threads: number): [string, Peer] | null {
  if (device !== "cpu") return ["the CPU", ours(threads)];
  if (python === null) return null;
  return ["PyTorch", new Peer("PyTorch", python, [join(root, "bench/inference/torch_peer.py")], threads)];
}

/** Time by the clock, and of processors; the latter says more on a busy machine. */
interface Answer {
  readonly seconds: number;
  readonly processor: number;
  readonly similarity: number;
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const best = (values: readonly number[]): number => Math.min(...values);
const ms = (seconds: number): string => `${(1000 * seconds).toFixed(1)} ms`;

for (const profile of options.profiles.split(",")) {
  for (const size of options.sizes.split(",")) {
    const [height, width] = size.split("x").map(Number);
    for (const threads of options.threads.split(",").map(Number)) {
      const us = ours(threads);
      const [theirName, them] = opponent(threads) ?? ["", null];
      const request = { cmd: "init", threads, height, width, profile };
      await us.ask({ ...request, device });
      await them?.ask(request);
      const sides: [string, () => Promise<Answer>][] = [
        ["deployed", () => us.ask({ cmd: "run", which: "deployed" })],
        ["vanilla", () => us.ask({ cmd: "run", which: "vanilla" })],
        ...(them
          ? [[theirName, () => them.ask({ cmd: "run", which: "deployed" })] as [string, () => Promise<Answer>]]
          : []),
      ];
      const answers = new Map<string, Answer[]>(sides.map(([name]) => [name, []]));
      for (let round = -1; round < Number(options.rounds); round++) {
        for (const [name, run] of sides) {
          // Threads of the one before may still be looking for work, and caches are full of its weights: the second run counts.
          await run();
          const answer = await run();
          if (round >= 0) answers.get(name)!.push(answer);
        }
      }
      await us.quit();
      await them?.quit();
      const part = (name: string, key: keyof Answer): number[] => answers.get(name)!.map((answer) => answer[key]);
      const ratio = (name: string, key: keyof Answer, of: typeof best): string =>
        (of(part("deployed", key)) / of(part(name, key))).toFixed(3);
      console.log(
        `${profile} ${height} x ${width}, ${device}, ${threads} thread${threads > 1 ? "s" : ""}, load ${loadavg()[0]!.toFixed(1)}: deployed ${ms(best(part("deployed", "seconds")))}, ` +
          `mean similarity ${part("deployed", "similarity")[0]!.toFixed(5)}`,
      );
      for (const [name] of sides.slice(1)) {
        console.log(
          `  against ${name.padEnd(8)} ${ms(best(part(name, "seconds"))).padStart(9)}: best ${ratio(name, "seconds", best)}x, median ${ratio(name, "seconds", median)}x; ` +
            `processor time best ${ratio(name, "processor", best)}x, median ${ratio(name, "processor", median)}x  (mean similarity ${part(name, "similarity")[0]!.toFixed(5)})`,
        );
      }
    }
  }
}
const note = softwareGpu(device);
if (note !== null) console.log(note);
