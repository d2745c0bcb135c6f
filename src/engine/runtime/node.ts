import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InferenceSession, listSupportedBackends, Tensor } from "onnxruntime-node";
import { UserError } from "../../platform/errors.js";
import { ortProgram, refusedModel } from "./ortProgram.js";
import type { Runtime } from "./runtime.js";

/** How ONNX Runtime computes. */
export interface NodeRuntimeOptions {
  /** Threads one op may use. The results do not depend on it for batches of at least two images. */
  readonly threads?: number;
  /** Any execution provider of ONNX Runtime: cpu, cuda, webgpu, coreml, dml, … */
  readonly device?: string;
  /** Rewriting a graph for speed takes seconds for a large one: not worth it for a few small runs. */
  readonly optimise?: boolean;
  /** Write a Chrome trace of every node to this file prefix. */
  readonly profile?: string;
}

/** ONNX Runtime in this process. `run` blocks the thread, so a process that answers people never holds one. */
export function nodeRuntime({
  threads = 1,
  device = "cpu",
  optimise = true,
  profile,
}: NodeRuntimeOptions = {}): Runtime {
  const collectGarbage = garbageCollector();
  return {
    device,
    async load(model, signature) {
      requireDevice(device);
      const session = await InferenceSession.create(model, {
        executionProviders: device === "cpu" ? ["cpu"] : [device, "cpu"],
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: "sequential",
        graphOptimizationLevel: optimise ? "all" : "disabled",
        // A plan of all buffers made beforehand takes a third more memory and saves no time.
        enableMemPattern: false,
        logSeverityLevel: 3,
        ...(profile && { enableProfiling: true, profileFilePrefix: profile }),
      }).catch((cause: unknown) => {
        throw refusedModel(device, cause);
      });
      return ortProgram(session, { Tensor, fillsFetches: true, collectGarbage }, signature);
    },
  };
}

/** ONNX Runtime quietly falls back to the CPU; a person who asked for a GPU wants to know. */
function requireDevice(device: string): void {
  const known = listSupportedBackends().map(({ name }) => name);
  if (!known.includes(device)) {
    throw new UserError(`ONNX Runtime has no execution provider "${device}" here`, {
      hint: `it has: ${known.join(", ")}`,
    });
  }
}

/**
 * V8 counts the small handles of large arrays and lets dead ones pile up for several training steps: hundreds of megabytes
 * of old weights. Its collector is to be had by this flag only.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
