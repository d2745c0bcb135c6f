import type { Runtime } from "./runtime.js";
import { onDevice, stateOnDevice } from "./stateOnDevice.js";
import { type OrtWeb, type WebRuntimeOptions, webInference, webSessions } from "./webInference.js";

/** ONNX Runtime in a browser tab: the same graphs, trained or deployed. */
export function webRuntime(ort: OrtWeb, { executionProviders = ["wasm"] }: WebRuntimeOptions = {}): Runtime {
  const runtime = webInference(ort, { executionProviders });
  const open = webSessions(ort, executionProviders);
  return {
    ...runtime,
    ...(runtime.portable && {
      loadStateful: (model, signature, carried) =>
        stateOnDevice((bytes, stay) => open(bytes, onDevice(stay)), ort.Tensor, model, signature, carried),
    }),
  };
}
