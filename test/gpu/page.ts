/// <reference lib="dom" />
import { webRuntime } from "../../src/engine/runtime/web.js";
import type { OrtWeb } from "../../src/engine/runtime/webInference.js";
import { lossesOf, type TrainingName } from "./trainings.js";

/** Trains in a tab. The runtime lies beside this script, as it does beside the page of src/viewer. */
async function train(name: TrainingName): ReturnType<typeof lossesOf> {
  const address = new URL("ort/ort.jspi.min.mjs", location.href).href;
  const ort = (await import(/* @vite-ignore */ address)) as OrtWeb & { env: { wasm: { numThreads: number } } };
  ort.env.wasm.numThreads = 1;
  return lossesOf(webRuntime(ort, { executionProviders: ["webgpu"] }), name);
}

Object.assign(globalThis, { train });
