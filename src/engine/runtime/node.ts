import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { input } from "../graph/value.js";
import { resizeChannelsFirst } from "../onnx/resizeChannelsFirst.js";
import { writeModel } from "../onnx/writeModel.js";
import { FATAL, ortProgram, refusedModel } from "./ortProgram.js";
import type { Runtime } from "./runtime.js";
import { type OpenSession, onDevice, stateOnDevice } from "./stateOnDevice.js";

/** How ONNX Runtime computes. */
export interface NodeRuntimeOptions {
  /** Threads one op may use. The results do not depend on it for batches of at least two images. */
  readonly threads?: number;
  /** An execution provider of ONNX Runtime; taken as it is, where `openDevice` tries it first. */
  readonly device?: string | undefined;
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
  const portable = device !== "cpu";
  const open: OpenSession = async (model, stay, role) => {
    if (device === "webgpu") await keepOpen();
    return InferenceSession.create(portable ? resizeChannelsFirst(model) : model, {
      executionProviders: portable ? [device, "cpu"] : ["cpu"],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: optimise ? "all" : "disabled",
      // A plan of all buffers made beforehand takes a third more memory and saves no time.
      enableMemPattern: false,
      logSeverityLevel: FATAL,
      ...(profile && role === "program" && { enableProfiling: true, profileFilePrefix: profile }),
      ...onDevice(stay),
    }).catch((cause: unknown) => {
      throw refusedModel(device, cause);
    });
  };
  return {
    device,
    portable,
    load: async (model, signature) =>
      ortProgram(await open(model, new Set(), "program"), { Tensor, fillsFetches: true, collectGarbage }, signature),
    // Only this provider's tensors can stay on the device between runs.
    ...(device === "webgpu" && {
      loadStateful: (model, signature, carried) => stateOnDevice(open, Tensor, model, signature, carried),
    }),
  };
}

let kept: Promise<InferenceSession> | undefined;

/**
 * A session on WebGPU that does nothing and stays: with its last session ONNX Runtime closes the device, and the next one compiles every
 * shader anew.
 */
async function keepOpen(): Promise<void> {
  const x = input("x", { dtype: "float32", shape: [1] });
  kept ??= InferenceSession.create(writeModel({ outputs: { y: x } }).bytes, {
    executionProviders: ["webgpu"],
    logSeverityLevel: FATAL,
  });
  // A device that is not there says so to the session that is wanted.
  await kept.catch(() => {
    kept = undefined;
  });
}

/**
 * V8 counts the small handles of large arrays and lets dead ones pile up for several training steps: hundreds of megabytes
 * of old weights. Its collector is to be had by this flag only.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
