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

/** What a program hands to its own next run. */
export interface Carried {
  /** Which output becomes which input; null where an input stays as it is. */
  readonly outputs: ReadonlyMap<string, string | null>;
  /** The inputs of the first run. */
  readonly start: Tensors;
}

/** A program whose state stays where it computes: only the other inputs and outputs travel. */
export interface StatefulProgram {
  /** Compute the outputs that are not carried. Where `accept` says no to them, the state stays as it was. */
  run(feeds: Tensors, accept: (results: Tensors) => boolean): Promise<Record<string, HostTensor>>;
  /** A copy of the state. */
  state(): Promise<Tensors>;
  /** Bytes that the last run moved between this process and the device. */
  movedBytes(): number;
  close(): Promise<void>;
}

/** Something that can load and run ONNX models given as bytes. Never as a path: bytes cannot name other files. */
export interface Runtime {
  readonly device: string;
  /** Programs are spelt with what every device has (`portable`), not with what is fastest on a CPU. */
  readonly portable?: boolean;
  load(model: Uint8Array, signature: Signature): Promise<Program>;
  /** Only where a device has memory of its own to keep state in. */
  loadStateful?(model: Uint8Array, signature: Signature, carried: Carried): Promise<StatefulProgram>;
}
