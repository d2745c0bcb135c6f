/** Where to compute: a name that ONNX Runtime has for it, or `auto` for the first that is there and computes rightly. */
export const devices = ["cpu", "webgpu", "cuda", "coreml", "dml", "auto"] as const;
export type Device = (typeof devices)[number];
