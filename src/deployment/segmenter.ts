import { availableParallelism } from "node:os";
import { bytesOf, type ImageBytes, requireRgb } from "../data/images/givenImage.js";
import { decodeImage, readImage } from "../data/images/readImage.js";
import type { RgbImage } from "../data/images/tensors.js";
import { openDevice } from "../engine/runtime/device.js";
import { readRegularFile } from "../platform/files.js";
import type { Computing } from "../platform/watching.js";
import type { ModelDescription } from "./model/modelDescription.js";
import { modelFile } from "./model/modelFile.js";
import { closedError, type LoadedModel, loadModel, type Segmentation, segmented } from "./model/segment.js";

/** Images that a program has: the path or the bytes of a file (JPEG, PNG, WebP, GIF, TIFF, AVIF), or pixels. */
export type NodeImage = string | ImageBytes | RgbImage;

/** How a `Segmenter` computes. */
export interface SegmenterOptions extends Pick<Computing, "threads" | "device"> {
  /** Another γ than the model's: pixels are certain where their similarity is at least this. */
  readonly gamma?: number | undefined;
}

/**
 * An exported model over onnxruntime-node: images in, classes and certainty out, at the size of the image. `gamma-ssl/web` has the same for
 * browsers. Computing blocks the thread: a server runs it in a process of its own.
 */
export class Segmenter {
  /** Method, classes, γ and height of the model. */
  readonly description: ModelDescription;
  readonly #model: LoadedModel;
  #closed = false;

  private constructor(model: LoadedModel) {
    this.#model = model;
    this.description = model.description;
  }

  /** Open a file that `exportModel` or `gssl export` wrote, or its bytes. A run folder stands for its `model.onnx`. */
  static async open(model: string | Uint8Array | ArrayBuffer, options: SegmenterOptions = {}): Promise<Segmenter> {
    const bytes = typeof model === "string" ? await readRegularFile(modelFile(model)) : (await bytesOf(model))!;
    const { threads = availableParallelism(), device } = options;
    const runtime = await openDevice({ threads, device });
    const file = typeof model === "string" ? model : "the model";
    return new Segmenter(await loadModel(runtime, bytes, { file, gamma: options.gamma }));
  }

  /** Segment an image: the path of a file, its bytes, or pixels. Rejects with a `UserError` that names the image and says what is wrong. */
  async segment(image: NodeImage): Promise<Segmentation> {
    const pixels = await pixelsOf(image);
    if (this.#closed) throw closedError();
    return segmented(this.#model, pixels, typeof image === "string" ? image : undefined);
  }

  /** Free the model's memory. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#model.image.program.close();
  }
}

async function pixelsOf(image: NodeImage): Promise<RgbImage> {
  if (typeof image === "string") return readImage(image);
  const bytes = await bytesOf(image);
  return bytes === null
    ? requireRgb(image, "the path of a file, its bytes as Buffer, Uint8Array, ArrayBuffer or Blob")
    : (await decodeImage(bytes, "the image")).image;
}
