/// <reference lib="dom" />
import type { RuntimeKind } from "../../manifest.js";

/** What the visitor asked for in the address: `?backend=webgpu` is not put off by speed, but by wrong results it is. */
export type Preference = "auto" | RuntimeKind;

/** What computes now, and why nothing faster does. */
export interface Computing {
  readonly kind: RuntimeKind;
  readonly title: string;
  readonly reason: string;
}

interface Adapter {
  readonly info?: { readonly isFallbackAdapter?: boolean };
}

/** Why WebGPU cannot be tried here; null where it can. */
export async function missingGpu(preference: Preference): Promise<string | null> {
  if (preference === "wasm") return "WebGPU was not asked for";
  const { gpu } = navigator as Navigator & { gpu?: { requestAdapter(): Promise<Adapter | null> } };
  if (gpu === undefined) return "this browser has no WebGPU";
  if (!("Suspending" in WebAssembly)) return "WebGPU needs a browser that can suspend WebAssembly (JSPI)";
  const adapter = await gpu.requestAdapter();
  if (adapter === null) return "there is no graphics processor for WebGPU";
  const software = adapter.info?.isFallbackAdapter ?? false;
  return software && preference === "auto" ? "WebGPU would compute in software here" : null;
}

/** Threads share memory, which browsers allow only to pages that are isolated from others. */
export function threadsHere(): number {
  if (!globalThis.crossOriginIsolated) return 1;
  return Math.max(1, Math.min(8, navigator.hardwareConcurrency ?? 1));
}

/** WebAssembly computes; `why` nothing else does. */
export function onWasm(why: string | null, threads = 1): Computing {
  const many = threads > 1;
  const single = globalThis.crossOriginIsolated
    ? "this machine has one processor"
    : "threads need cross-origin isolation, which the page has after a reload";
  const reasons = [...(many ? [] : [single]), ...(why === null ? [] : [why])];
  return {
    kind: "wasm",
    title: many ? `WebAssembly · ${threads} threads` : "WebAssembly · 1 thread",
    reason: reasons.join("; "),
  };
}
