import { fork, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, freemem, totalmem } from "node:os";
import { cacheFolder } from "../platform/cacheFolder.js";
import { programVersion } from "../platform/environment.js";
import { type PackedError, UserError, unpackError } from "../platform/errors.js";
import { makeFolder } from "../platform/files.js";
import { type Device, devices } from "../platform/watching.js";

/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  /** `missing` is something that only some commands need. */
  readonly state: "fine" | "missing" | "wrong";
  /** What to do about it. */
  readonly cure?: string;
}

/** Which parts are looked at: replaced in tests. */
export interface Surroundings {
  readonly node: string;
  /** The first line of `ffmpeg -version`; null where there is none. */
  ffmpeg(): string | null;
  sharp(): Promise<string>;
  /** Version and execution providers. */
  onnxRuntime(): Promise<{ readonly version: string; readonly providers: readonly string[] }>;
  /** Names of wrong results. */
  selfTest(): Promise<readonly string[]>;
  /** Open a device and try it; rejects with what is wrong. */
  openDevice(name: Device): Promise<unknown>;
  freeBytes(folder: string): Promise<number>;
}

const LEAST_NODE = [20, 19] as const;

/** Below this a training of the default network runs out of memory, or its checkpoints fill the disk. */
const LEAST_MEMORY = 4e9;
const LEAST_DISK = 1e9;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Everything a training needs, whether it is there and what to do where it is not. Nothing is changed but an empty cache folder. */
export async function doctor(around: Surroundings = here): Promise<Finding[]> {
  return [
    { what: "gamma-ssl", found: programVersion(), state: "fine" },
    nodeFinding(around.node),
    processorFinding(),
    memoryFinding(),
    await diskFinding("disk here", process.cwd(), around),
    await diskFinding("disk of the cache", cacheFolder(), around),
    ...(await computing(around)),
    await imagesFinding(around),
    videoFinding(around.ffmpeg()),
  ];
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.replace("v", "").split(".").map(Number);
  const enough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (enough) return { what: "Node", found: version, state: "fine" };
  return { what: "Node", found: version, state: "wrong", cure: `install Node ${LEAST_NODE.join(".")} or later` };
}

function processorFinding(): Finding {
  const [first] = cpus();
  const flags = instructionSets();
  const found = `${first?.model.trim() ?? "unknown"}, ${availableParallelism()} threads${flags === "" ? "" : `, ${flags}`}`;
  return { what: "processor", found, state: "fine" };
}

/** What makes convolutions quick; only Linux says. */
function instructionSets(): string {
  try {
    const text = readFileSync("/proc/cpuinfo", "utf8");
    return ["avx2", "avx512f", "avx512_vnni", "asimd"]
      .filter((flag) => new RegExp(`\\b${flag}\\b`).test(text))
      .join(" ");
  } catch {
    return "";
  }
}

function memoryFinding(): Finding {
  // A container may be given less than the machine has.
  const limit = process.constrainedMemory();
  const total = limit > 0 && limit < totalmem() ? limit : totalmem();
  const found = `${gigabytes(total)}, ${gigabytes(Math.min(total, freemem()))} free`;
  if (total >= LEAST_MEMORY) return { what: "memory", found, state: "fine" };
  const cure = "train with smaller --batch and --crop, or on a machine with more";
  return { what: "memory", found, state: "wrong", cure };
}

async function diskFinding(what: string, folder: string, { freeBytes }: Surroundings): Promise<Finding> {
  try {
    await makeFolder(folder);
    const free = await freeBytes(folder);
    const found = `${gigabytes(free)} free in ${folder}`;
    if (free >= LEAST_DISK) return { what, found, state: "fine" };
    return { what, found, state: "wrong", cure: "make room, or choose another folder with --to and --cache" };
  } catch (error) {
    return {
      what,
      found: `${folder}: ${reason(error)}`,
      state: "wrong",
      cure: "choose another folder with --to and --cache",
    };
  }
}

async function computing(around: Surroundings): Promise<Finding[]> {
  const what = "onnxruntime";
  try {
    const { version, providers } = await around.onnxRuntime();
    const runtime: Finding = { what, found: `${version}; execution providers: ${providers.join(", ")}`, state: "fine" };
    const others = devices.filter((name) => name !== "cpu" && providers.includes(name));
    const findings = [runtime, await computed(around)];
    for (const name of others) findings.push(await deviceFinding(name, around));
    return findings;
  } catch (error) {
    const cure = "npm rebuild onnxruntime-node; it needs glibc (no Alpine) on x64 or arm64";
    return [{ what, found: reason(error), state: "wrong", cure }];
  }
}

async function computed(around: Surroundings): Promise<Finding> {
  const what = "self-test";
  const cure = "reinstall with npm ci; if it stays, report it with the output of gssl doctor --json";
  try {
    const wrong = await around.selfTest();
    if (wrong.length === 0) return { what, found: "a convolution and its gradients are right", state: "fine" };
    return { what, found: `of a convolution ${wrong.join(", ")} came out wrong`, state: "wrong", cure };
  } catch (error) {
    return { what, found: reason(error), state: "wrong", cure };
  }
}

/** GPUs are not named: the provider takes the system's first and does not say which that is. */
async function deviceFinding(name: Device, around: Surroundings): Promise<Finding> {
  const what = `device ${name}`;
  try {
    await around.openDevice(name);
    return {
      what,
      found: "self-test passed: convolutions, reductions, top-k and their like as on the CPU",
      state: "fine",
    };
  } catch (error) {
    const cure = error instanceof UserError ? error.hint : undefined;
    return { what, found: reason(error), state: "missing", ...(cure !== undefined && { cure }) };
  }
}

async function imagesFinding(around: Surroundings): Promise<Finding> {
  try {
    return { what: "sharp", found: await around.sharp(), state: "fine" };
  } catch (error) {
    return { what: "sharp", found: reason(error), state: "wrong", cure: "npm install --include=optional sharp" };
  }
}

function videoFinding(found: string | null): Finding {
  if (found !== null) return { what: "ffmpeg", found, state: "fine" };
  const cure = "only videos need it: apt install ffmpeg, brew install ffmpeg, winget install ffmpeg";
  return { what: "ffmpeg", found: "not found", state: "missing", cure };
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]!.replace(/^--device \w+: /, "");

/** This machine. What may fail to load is loaded only when it is asked for. */
const here: Surroundings = {
  node: process.version,
  ffmpeg() {
    const { status, stdout } = spawnSync("ffmpeg", ["-version"], { encoding: "utf8" });
    return status === 0 ? (stdout.split("\n")[0] ?? "") : null;
  },
  async sharp() {
    const { default: sharp } = await import("sharp");
    return `${sharp.versions.sharp}, libvips ${sharp.versions.vips}`;
  },
  async onnxRuntime() {
    const { env, listSupportedBackends } = await import("onnxruntime-node");
    return {
      version: env.versions.node ?? env.versions.common,
      providers: listSupportedBackends().map(({ name }) => name),
    };
  },
  async selfTest() {
    const [{ selfTest }, { nodeRuntime }] = await Promise.all([
      import("../engine/runtime/deviceTest.js"),
      import("../engine/runtime/node.js"),
    ]);
    return selfTest(nodeRuntime());
  },
  async openDevice(name) {
    const child = fork(new URL("./deviceProbe.js", import.meta.url), [name], { stdio: "ignore" });
    await new Promise<void>((resolve, reject) => {
      child.on("message", ({ fault }: { fault: PackedError | null }) =>
        fault === null ? resolve() : reject(unpackError(fault)),
      );
      child.on("close", (_, signal) => reject(new UserError(`its driver ended the process (${signal})`)));
    });
  },
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};
