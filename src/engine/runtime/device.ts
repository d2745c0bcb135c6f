import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { listSupportedBackends } from "onnxruntime-node";
import { UserError } from "../../platform/errors.js";
import { type Device, devices } from "../../platform/watching.js";
import { deviceTest } from "./deviceTest.js";
import { type NodeRuntimeOptions, nodeRuntime } from "./node.js";
import type { Runtime } from "./runtime.js";

/** What to do where a device is not there. */
const cures: Readonly<Record<string, string>> = {
  webgpu:
    "install the GPU's driver (Linux: one with Vulkan, e.g. apt install libvulkan1 mesa-vulkan-drivers), or compute with --device cpu",
  cuda: "install its libraries: npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12, with CUDA 12 and cuDNN 9 (docs/gpu.md); or try --device webgpu",
  coreml: "CoreML is part of macOS; elsewhere try --device webgpu",
  dml: "DirectML is part of Windows; elsewhere try --device webgpu",
};

/** A device that cannot be used, told before any work. */
function unusable(device: string, reason: string, cause?: unknown): UserError {
  return new UserError(`--device ${device}: ${reason}`, {
    hint: cures[device] ?? "compute with --device cpu",
    code: "bad-device",
    cause,
  });
}

/** Of a failed check of a provider, what it says after its place in the source and its condition. */
const withoutPlaces = (message: string): string => message.replace(/\/\S+\.\w+:\d+ .*? was false\. */s, "");

/** What a provider that is not part of the npm package needs beside it. */
function hasLibrary(device: string): boolean {
  const folder = join(dirname(createRequire(import.meta.url).resolve("onnxruntime-node")), "..", "bin", "napi-v6");
  const [prefix, ending] = process.platform === "win32" ? ["", "dll"] : ["lib", "so"];
  return existsSync(join(folder, process.platform, process.arch, `${prefix}onnxruntime_providers_${device}.${ending}`));
}

/**
 * A runtime on a device that was tried first: a device that is not there, or that computes wrongly, is refused with what is wrong. ONNX
 * Runtime itself would quietly compute on the CPU, or go on.
 */
export async function openDevice({
  device = "cpu",
  ...options
}: Omit<NodeRuntimeOptions, "device"> & { readonly device?: Device | undefined } = {}): Promise<Runtime> {
  if (device === "auto") return firstUsable(options);
  if (!devices.includes(device)) {
    throw new UserError(`--device is "${String(device)}", wanted one of ${devices.join(", ")}`, { code: "bad-option" });
  }
  const runtime = nodeRuntime({ ...options, device });
  if (device === "cpu") return runtime;
  const known = listSupportedBackends();
  const provider = known.find(({ name }) => name === device);
  if (provider === undefined) {
    const names = known.map(({ name }) => name).join(", ");
    throw unusable(device, `ONNX Runtime has no such execution provider here; it has ${names}`);
  }
  if (!provider.bundled && !hasLibrary(device)) throw unusable(device, "its libraries are not installed");
  const wrong = await deviceTest(runtime, nodeRuntime()).catch((cause: unknown) => {
    throw unusable(
      device,
      `cannot be used: ${withoutPlaces(cause instanceof Error ? cause.message : String(cause))}`,
      cause,
    );
  });
  if (wrong.length > 0) throw unusable(device, `the self-test gave wrong results for ${wrong.join(", ")}`);
  return runtime;
}

async function firstUsable(options: Omit<NodeRuntimeOptions, "device">): Promise<Runtime> {
  for (const device of ["cuda", "webgpu"] as const) {
    const opened = await openDevice({ ...options, device }).catch(() => null);
    if (opened !== null) return opened;
  }
  return nodeRuntime(options);
}
