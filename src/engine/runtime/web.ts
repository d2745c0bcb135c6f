import type { InferenceSessionFactory, TensorConstructor } from "onnxruntime-common";
import { resizeChannelsFirst } from "../onnx/resizeChannelsFirst.js";
import { ortProgram, refusedModel } from "./ortProgram.js";
import type { Runtime } from "./runtime.js";

/** Any build of onnxruntime-web: the page imports the flavour it wants (wasm, webgpu, all) and hands it in. */
export interface OrtWeb {
  readonly InferenceSession: InferenceSessionFactory;
  readonly Tensor: TensorConstructor;
}

/** ONNX Runtime in a browser tab: the same graphs, trained or deployed. */
export function webRuntime(
  ort: OrtWeb,
  { executionProviders = ["wasm"] }: { readonly executionProviders?: readonly ("wasm" | "webgpu")[] } = {},
): Runtime {
  const device = executionProviders.join(", ");
  const portable = executionProviders.includes("webgpu");
  return {
    device,
    portable,
    async load(model, signature) {
      const session = await ort.InferenceSession.create(portable ? resizeChannelsFirst(model) : model, {
        executionProviders: [...executionProviders],
        graphOptimizationLevel: "all",
        logSeverityLevel: 3,
      }).catch((cause: unknown) => {
        throw refusedModel(device, cause);
      });
      return ortProgram(session, { Tensor: ort.Tensor, fillsFetches: false }, signature);
    },
  };
}
