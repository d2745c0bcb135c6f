import { availableParallelism } from "node:os";
import { readImage } from "../data/images/readImage.js";
import type { RgbImage } from "../data/images/tensors.js";
import { openDevice } from "../engine/runtime/device.js";
import { readRegularFile } from "../platform/files.js";
import type { Computing } from "../platform/watching.js";
import type { ModelDescription } from "./model/modelDescription.js";
import { modelFile } from "./model/modelFile.js";
import { type LoadedModel, loadModel, type Segmentation, segmented } from "./model/segment.js";

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

  private constructor(model: LoadedModel) {
    this.#model = model;
    this.description = model.description;
  }

  /** Open a file that `exportModel` or `gssl export` wrote, or its bytes. A run folder stands for its `model.onnx`. */
  static async open(model: string | Uint8Array, options: SegmenterOptions = {}): Promise<Segmenter> {
    const bytes = typeof model === "string" ? await readRegularFile(modelFile(model)) : model;
    const { threads = availableParallelism(), device } = options;
    const runtime = await openDevice({ threads, device });
    const file = typeof model === "string" ? model : "the model";
    return new Segmenter(await loadModel(runtime, bytes, { file, gamma: options.gamma }));
  }

  /** Segment an image: a file (JPEG, PNG, WebP, …), or 8-bit red, green, blue of each pixel, row by row. */
  async segment(image: string | RgbImage): Promise<Segmentation> {
    return segmented(this.#model, typeof image === "string" ? await readImage(image) : image);
  }

  /** Free the model's memory. */
  close(): Promise<void> {
    return this.#model.image.program.close();
  }
}
