import type { HostTensor } from "../../engine/tensor/hostTensor.js";

/** The weights in a file, by the names the file gives them. */
export interface WeightsFile {
  readonly format: "pth" | "safetensors";
  /** Floating-point tensors, all as float32. A Map: no name in a file can reach a prototype. */
  readonly tensors: ReadonlyMap<string, HostTensor>;
  /** Names of whole-number tensors, which no layer of ours keeps, e.g. `bn1.num_batches_tracked`. */
  readonly skipped: readonly string[];
  /** Keys on the way to the weights, where they were saved among other things. */
  readonly place: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}
