import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDevice } from "../engine/runtime/device.js";
import { writeAtomically } from "../platform/atomicFile.js";
import { environment } from "../platform/environment.js";
import { makeFolder } from "../platform/files.js";
import { type Computing, cancellable, type Watching } from "../platform/watching.js";
import { openRun } from "../runs/openRun.js";
import { type Timing, timeMethods } from "./timing.js";

/** How `bench` measures. */
export interface BenchOptions extends Omit<Watching, "onNote">, Pick<Computing, "threads" | "device"> {
  /** Height and width of the image, in multiples of 16; 256 x 512 when left out. */
  readonly size?: readonly [height: number, width: number] | undefined;
  /** Times that each method is run, in turn with the others; 20 when left out. */
  readonly rounds?: number | undefined;
  /** Rounds before those that count; 3 when left out. */
  readonly warmUps?: number | undefined;
}

/** Times of methods on one machine, and the file that has them. */
export interface Benchmark {
  readonly height: number;
  readonly width: number;
  readonly device: string;
  readonly threads: number;
  readonly rounds: number;
  readonly timings: readonly Timing[];
  readonly environment: Readonly<Record<string, string>>;
  readonly path: string;
}

/** Time the methods of the paper's Table 12 with the network of a run, and write `RUN/bench/<size>.json`. */
export async function bench(folder: string, options: BenchOptions = {}): Promise<Benchmark> {
  const { size = [256, 512], rounds = 20, warmUps = 3, threads = availableParallelism() } = options;
  const [height, width] = size;
  const runtime = await openDevice({ threads, device: options.device });
  const run = await openRun(folder);
  const timings = await timeMethods(runtime, run, size, {
    rounds,
    warmUps,
    onProgress: cancellable(options),
  });
  const record = { height, width, device: runtime.device, threads, rounds, timings, environment: environment() };
  await makeFolder(join(folder, "bench"));
  const path = join(folder, "bench", `${height}x${width}.json`);
  await writeAtomically(path, `${JSON.stringify(record, null, 1)}\n`);
  return { ...record, path };
}
