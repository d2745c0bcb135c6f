import * as ort from "onnxruntime-web";
import { runtimeContract } from "../../../test/runtimeContract.js";
import { webRuntime } from "./web.js";

ort.env.wasm.numThreads = 1;
runtimeContract("WebAssembly", async () => webRuntime(ort));
