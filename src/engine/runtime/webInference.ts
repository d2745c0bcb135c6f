import type { InferenceSession, InferenceSessionFactory, TensorConstructor } from "onnxruntime-common";
import { resizeChannelsFirst } from "../onnx/resizeChannelsFirst.js";
import { FATAL, ortProgram, refusedModel } from "./ortProgram.js";
import type { Runtime } from "./runtime.js";

/** Any build of onnxruntime-web: the page imports the flavour it wants (wasm, webgpu, all) and hands it in. */
export interface OrtWeb {
  readonly InferenceSession: InferenceSessionFactory;
  readonly Tensor: TensorConstructor;
}

export interface WebRuntimeOptions {
  readonly executionProviders?: readonly ("wasm" | "webgpu")[];
}

/** Opens models with what a runtime may compute with. */
export const webSessions =
  (ort: OrtWeb, providers: readonly string[]) =>
  (model: Uint8Array, more: InferenceSession.SessionOptions = {}): Promise<InferenceSession> =>
    ort.InferenceSession.create(providers.includes("webgpu") ? resizeChannelsFirst(model) : model, {
      executionProviders: [...providers],
      graphOptimizationLevel: "all",
      logSeverityLevel: FATAL,
      ...more,
    }).catch((cause: unknown) => {
      throw refusedModel(providers.join(", "), cause);
    });

/** ONNX Runtime in a browser tab for deployed models: `webRuntime` without what training needs, which pages would load for nothing. */
export function webInference(ort: OrtWeb, { executionProviders = ["wasm"] }: WebRuntimeOptions = {}): Runtime {
  const open = webSessions(ort, executionProviders);
  return {
    device: executionProviders.join(", "),
    portable: executionProviders.includes("webgpu"),
    load: async (model, signature) =>
      ortProgram(await open(model), { Tensor: ort.Tensor, fillsFetches: false }, signature),
  };
}
