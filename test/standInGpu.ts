import type { BrowserContext } from "playwright-core";

/**
 * In the place of onnxruntime-web's WebGPU build: the WebAssembly build under its name, whose device can be lost, and whose scores and
 * losses can be wrong. The real one takes a minute of a processor to compile its shaders where there is no graphics processor.
 */
const standIn = (error: number): string => `
import * as ort from "./ort.wasm.min.mjs";
const lost = new Promise((done) => { new BroadcastChannel("gpu").onmessage = () => done({ message: "driver restarted" }); });
export const { Tensor } = ort;
export const env = {
  wasm: { set wasmPaths(path) { ort.env.wasm.wasmPaths = path; }, set numThreads(n) { ort.env.wasm.numThreads = n; } },
  webgpu: { device: Promise.resolve({ lost, adapterInfo: { description: "stand-in" } }) },
};
env.wasm.wasmBinary = undefined;
export const InferenceSession = {
  async create(bytes, { executionProviders, preferredOutputLocation, ...options }) {
    const session = await ort.InferenceSession.create(bytes, { ...options, executionProviders: ["wasm"] });
    const isGpu = executionProviders[0] === "webgpu";
    return {
      inputNames: session.inputNames,
      outputNames: session.outputNames,
      release: () => session.release(),
      async run(...given) {
        const results = await session.run(...given);
        if (isGpu && results.similarity) results.similarity.data[100] += ${error};
        if (isGpu && results.loss) results.loss.data[0] += ${error};
        return results;
      },
    };
  },
};`;

/** A browser with a graphics processor of which nothing is real. */
export const withStandIn = (error: number) => async (context: BrowserContext) => {
  await context.route("**/ort.jspi.min.mjs", (route) =>
    route.fulfill({ contentType: "text/javascript", body: standIn(error) }),
  );
  await context.route("**/*.jspi.wasm", (route) => route.continue());
  await context.addInitScript(() => {
    Object.defineProperty(navigator, "gpu", { value: { requestAdapter: () => Promise.resolve({ info: {} }) } });
  });
};
