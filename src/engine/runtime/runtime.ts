import type { HostTensor, Tensors } from "../tensor/hostTensor.js";
import type { OpenType } from "../tensor/shape.js";

/** A loaded ONNX graph. `run` never keeps or changes the arrays it is given. */
export interface Program {
  /** Compute the outputs, written to the arrays in `into` where it has them. */
  run(feeds: Tensors, into?: Tensors): Promise<Record<string, HostTensor>>;
  close(): Promise<void>;
}

/** What a model takes and gives, by name. */
export interface Signature {
  readonly inputs: ReadonlyMap<string, OpenType>;
  readonly outputs: ReadonlyMap<string, OpenType>;
}

/** Something that can load and run ONNX models given as bytes. Never as a path: bytes cannot name other files. */
export interface Runtime {
  readonly device: string;
  load(model: Uint8Array, signature: Signature): Promise<Program>;
}
