// Loaded before everything else in a training process: its step fails at the third run, as it does when a driver is reset.
import { InferenceSession } from "onnxruntime-node";

const { run } = InferenceSession.prototype;
let steps = 0;
InferenceSession.prototype.run = function (...given) {
  if (this.inputNames.includes("learningRate") && ++steps === 3) {
    return Promise.reject(new Error("WebGPU device lost (2): the driver was reset"));
  }
  return run.apply(this, given);
};
