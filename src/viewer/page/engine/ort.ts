/// <reference lib="dom" />
import type { OrtWeb } from "../../../engine/runtime/webInference.js";
import { runtimeFiles, runtimeFolder } from "../../manifest.js";
import { download } from "./download.js";
import type { Start } from "./protocol.js";

/** The parts of onnxruntime-web's environment that are used here. */
export interface OrtModule extends OrtWeb {
  readonly env: {
    readonly wasm: { wasmPaths?: string; wasmBinary?: ArrayBuffer; numThreads?: number };
    readonly webgpu: { readonly device: Promise<LosableDevice> };
  };
}
interface LosableDevice {
  readonly lost: Promise<{ readonly message: string }>;
  readonly adapterInfo?: { readonly vendor?: string; readonly architecture?: string; readonly description?: string };
}

/** Load the kind of ONNX Runtime that a worker was started for. */
export async function loadOrt(
  { kind, base, threads, runtime }: Start,
  onProgress: (bytes: number) => void,
): Promise<OrtModule> {
  const folder = new URL(`${runtimeFolder}/`, base).href;
  const [ort, wasm] = await Promise.all([
    import(/* @vite-ignore */ `${folder}${runtimeFiles[kind][0]}`) as Promise<OrtModule>,
    download({ ...runtime, address: new URL(runtime.file, base).href }, onProgress),
  ]);
  ort.env.wasm.wasmPaths = folder;
  ort.env.wasm.wasmBinary = wasm.buffer;
  ort.env.wasm.numThreads = threads;
  return ort;
}

/** The graphics processor of a session that was made, as far as the browser tells its name, and the end of it: a driver restarted, a laptop slept. */
export async function deviceOf(ort: OrtModule): Promise<{ name: string; lost: Promise<string> }> {
  const device = await ort.env.webgpu.device;
  const { description, vendor, architecture } = device.adapterInfo ?? {};
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed";
  return { name, lost: device.lost.then(({ message }) => message) };
}
