import type { RgbImage } from "../../data/images/tensors.js";
import type { HostTensor } from "../../engine/tensor/hostTensor.js";
import type { Settings } from "../../methods/parts/method.js";

/** A method with its settings: what one line of a table, or one try while settings are chosen, stands for. */
export interface Entry {
  readonly method: string;
  readonly settings: Settings;
  /** One minus its uncertainty is a probability. */
  readonly probability?: true;
}

/** What a method says about one image, pixel by pixel. */
export interface Prediction {
  readonly predicted: Uint8Array;
  /** Larger means less sure. */
  readonly uncertainty: Float32Array;
}

/** Methods that share their passes through a network. */
export interface Predictor {
  readonly entries: readonly Entry[];
  /** How many images it likes to be shown at once. */
  readonly batchSize: number;
  /** For each image what each entry says. */
  predict(images: readonly RgbImage[]): Promise<Prediction[][]>;
  close(): Promise<void>;
}

/** Classes from int64 to bytes. */
export function asBytes({ data }: HostTensor): Uint8Array {
  // A class fits the low byte of its int64; making a BigInt of each pixel is ten times slower.
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const stride = data.BYTES_PER_ELEMENT;
  return Uint8Array.from({ length: data.length }, (_, i) => bytes[i * stride]!);
}
