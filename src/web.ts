/// <reference lib="dom" />
import { drawnPixels, withoutAlpha } from "./data/images/canvasPixels.js";
import { bytesOf, type ImageBytes, requireRgb } from "./data/images/givenImage.js";
import type { RgbImage } from "./data/images/tensors.js";
import type { ModelDescription } from "./deployment/model/modelDescription.js";
import { closedError, type LoadedModel, loadModel, type Segmentation, segmented } from "./deployment/model/segment.js";
import { type OrtWeb, webInference } from "./engine/runtime/webInference.js";
import { UserError } from "./platform/errors.js";

export type { ModelDescription, ModelFile } from "./deployment/model/modelDescription.js";
export type { Segmentation } from "./deployment/model/segment.js";
export type { OrtWeb } from "./engine/runtime/webInference.js";
export { UserError } from "./platform/errors.js";

/** Images that a browser has: pixels, the bytes of a file, or anything that can be drawn on a canvas. */
export type WebImage = ImageData | RgbImage | ImageBytes | CanvasImageSource;

/** How a `Segmenter` computes. */
export interface SegmenterOptions {
  /** What onnxruntime-web may compute with, in order of preference; ["wasm"] when left out. */
  readonly executionProviders?: readonly ("wasm" | "webgpu")[] | undefined;
  /** Another γ than the model's: pixels are certain where their similarity is at least this. */
  readonly gamma?: number | undefined;
  /** A build of onnxruntime-web; that of the package `onnxruntime-web` when left out. */
  readonly ort?: OrtWeb | undefined;
}

/** An exported model over onnxruntime-web: images in, classes and certainty out, at the size of the image. */
export class Segmenter {
  /** Method, classes, γ and height of the model. */
  readonly description: ModelDescription;
  readonly #model: LoadedModel;
  #closed = false;

  private constructor(model: LoadedModel) {
    this.#model = model;
    this.description = model.description;
  }

  /** Open a model that `gssl export` wrote: its address, or its bytes. */
  static async open(
    model: string | URL | Uint8Array | ArrayBuffer,
    options: SegmenterOptions = {},
  ): Promise<Segmenter> {
    const { executionProviders = ["wasm"], gamma, ort = await import("onnxruntime-web") } = options;
    const named = typeof model === "string" || model instanceof URL;
    const bytes = named ? await download(model) : new Uint8Array(model);
    const runtime = webInference(ort, { executionProviders });
    const file = named ? String(model) : "the model";
    return new Segmenter(await loadModel(runtime, bytes, { file, gamma }));
  }

  /** Segment an image of any size; the answer has the same. */
  async segment(image: WebImage): Promise<Segmentation> {
    const pixels = await pixelsOf(image);
    if (this.#closed) throw closedError();
    return segmented(this.#model, pixels);
  }

  /** Free the model's memory. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#model.image.program.close();
  }
}

async function download(address: string | URL): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new UserError(`${address}: the server answered ${response.status} ${response.statusText}`, {
      hint: "is the address right?",
      code: "not-a-model",
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Red, green and blue of any image. What is transparent counts as it would on black. */
async function pixelsOf(image: WebImage): Promise<RgbImage> {
  const bytes = await bytesOf(image);
  if (bytes !== null) {
    const bitmap = await createImageBitmap(new Blob([bytes])).catch((cause: unknown) => {
      throw new UserError("the image does not decode", {
        hint: "is it an image, and of a format that this browser has?",
        code: "image-damaged",
        cause,
      });
    });
    try {
      return drawn(bitmap, bitmap);
    } finally {
      bitmap.close();
    }
  }
  if (image instanceof ImageData) return withoutAlpha(image);
  if (isDrawable(image)) return drawn(image, sizeOf(image));
  return requireRgb(image, "an ImageData, a Blob, bytes, or what a canvas can draw");
}

/** What a canvas can draw is an object of the page with a size. */
const isDrawable = (image: unknown): image is CanvasImageSource =>
  typeof image === "object" &&
  image !== null &&
  !("rgb" in image) &&
  ["width", "displayWidth"].some((side) => side in image);

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** The size in pixels: of an image that is shown smaller, and of a video, not the size on the page. */
function sizeOf(image: CanvasImageSource): Extent {
  if ("naturalWidth" in image) return { width: image.naturalWidth, height: image.naturalHeight };
  if ("videoWidth" in image) return { width: image.videoWidth, height: image.videoHeight };
  if ("displayWidth" in image) return { width: image.displayWidth, height: image.displayHeight };
  if (typeof image.width === "number" && typeof image.height === "number")
    return { width: image.width, height: image.height };
  throw new UserError("an SVG image has no size in pixels", {
    hint: "draw it on a canvas first",
    code: "image-unsupported",
  });
}

function drawn(image: CanvasImageSource, { width, height }: Extent): RgbImage {
  if (width === 0 || height === 0) {
    throw new UserError("the image has no pixels yet", {
      hint: "wait for it to load: await image.decode()",
      code: "image-empty",
    });
  }
  return drawnPixels(image, { width, height });
}
