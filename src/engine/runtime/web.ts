import type { InferenceSessionFactory, TensorConstructor } from "onnxruntime-common";
import { resizeChannelsFirst } from "../onnx/resizeChannelsFirst.js";
import { ortProgram, refusedModel } from "./ortProgram.js";
import type { Runtime } from "./runtime.js";
import { type OpenSession, onDevice, stateOnDevice } from "./stateOnDevice.js";

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
  const open: OpenSession = (model, stay) =>
    ort.InferenceSession.create(portable ? resizeChannelsFirst(model) : model, {
      executionProviders: [...executionProviders],
      graphOptimizationLevel: "all",
      logSeverityLevel: 3,
      ...onDevice(stay),
    }).catch((cause: unknown) => {
      throw refusedModel(device, cause);
    });
  return {
    device,
    portable,
    load: async (model, signature) =>
      ortProgram(await open(model, new Set(), "program"), { Tensor: ort.Tensor, fillsFetches: false }, signature),
    ...(portable && {
      loadStateful: (model, signature, carried) => stateOnDevice(open, ort.Tensor, model, signature, carried),
    }),
  };
}
