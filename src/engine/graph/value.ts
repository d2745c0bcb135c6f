import type { HostTensor } from "../tensor/hostTensor.js";
import type { Shape, TensorType } from "../tensor/shape.js";

/** ONNX keeps whole and real attributes apart, and JavaScript cannot tell 0 from 0.0: reals are wrapped. */
export interface Real {
  readonly real: number;
}
export type Attr = number | Real | string | readonly number[];
export type Attrs = { readonly [name: string]: Attr };

export const real = (value: number): Real => ({ real: value });

/** Where an op writes itself when ONNX needs something other than one node with the same attributes. */
export interface Emitter {
  /** The name of a value that is already in the graph. */
  name(value: Value): string;
  /** A whole-number constant; equal ones are written once. */
  int64(values: readonly number[]): string;
  /** A shape that an op takes as a tensor. */
  shape(extents: Shape): string;
  /** One ONNX node; its outputs are those of the op being written. */
  node(opType: string, inputs: readonly string[], attrs?: Attrs): void;
  /**
   * An ONNX node on the way there, whose shape only the runtime knows; gives the name of its first output. `unread` is how
   * many further outputs ONNX insists on.
   */
  step(opType: string, inputs: readonly string[], attrs?: Attrs, unread?: number): string;
}

/** One operation of a program: what it reads, what it makes, how it is differentiated and how it is written. */
export interface Node {
  readonly opType: string;
  readonly path: string;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly attrs: Attrs;
  /** Whether outputs after the first are left out where nothing reads them, which spares the kernel computing them. */
  readonly optionalOutputs: boolean;
  /** Gradient for each input (null: none flows), given the gradient of each output (null: none arrived). */
  backward(dy: readonly (Value | null)[]): readonly (Value | null)[];
  emit(to: Emitter): void;
  /** The same operation on other inputs; gives its outputs. */
  again(inputs: readonly Value[]): readonly Value[];
}

/** A tensor that a program will compute, be given, or carry inside. */
export class Value {
  readonly type: TensorType;
  /** What a leaf is: an input has a name, a constant has data, anything else has a node. */
  readonly origin: { readonly node: Node } | { readonly input: string } | { readonly constant: HostTensor };

  constructor(type: TensorType, origin: Value["origin"]) {
    this.type = type;
    this.origin = origin;
  }

  get shape(): Shape {
    return this.type.shape;
  }

  get node(): Node | null {
    return "node" in this.origin ? this.origin.node : null;
  }
}

/** Something the program is given each time it runs: a batch, a parameter, a dial. */
export const input = (name: string, type: TensorType): Value => new Value(type, { input: name });

/** Something the program carries inside. */
export const constant = (tensor: HostTensor): Value =>
  new Value({ dtype: tensor.dtype, shape: tensor.shape }, { constant: tensor });
