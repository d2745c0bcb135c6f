import type { Dataset } from "../data/datasets/dataset.js";
import type { RgbImage } from "../data/images/tensors.js";
import { readUnlabelled } from "../data/loader/readScaled.js";
import type { Runtime } from "../engine/runtime/runtime.js";
import { floats } from "../engine/tensor/hostTensor.js";
import { pixelSignature } from "../methods/parts/deployedSignature.js";
import { thresholdForPixels } from "../metrics/matchedThreshold.js";
import { pixelsOf } from "../metrics/sketch.js";
import { SketchBuilder } from "../metrics/sketchSet.js";
import { RIGHT } from "../metrics/verdict.js";
import { type Deployable, deploymentGraph } from "./deployable.js";
import { openBytes } from "./deployedProgram.js";
import { type ImageProgram, imageOutputs } from "./imageOutputs.js";

export interface ImagesRequest {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  /** Their labels are not opened. */
  readonly images: Dataset;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Whole images as a deployed model predicts them. γ is not needed for that. */
export class DeployedImages {
  readonly #image: ImageProgram;
  readonly #request: ImagesRequest;

  private constructor(image: ImageProgram, request: ImagesRequest) {
    this.#image = image;
    this.#request = request;
  }

  static async open(request: ImagesRequest): Promise<DeployedImages> {
    const { runtime, deployable } = request;
    const graph = await deploymentGraph(runtime, deployable, { gamma: 0 });
    const program = await runtime.load(openBytes(graph, pixelSignature, {}), pixelSignature);
    const { config, prototypes } = deployable;
    const classes = prototypes.shape[1]!;
    const { view, options } = config;
    return new DeployedImages(
      { program, name: "the trained network", height: view.height, score: options.score, classes },
      request,
    );
  }

  /** The class of every pixel, and its similarity, which γ is compared with. */
  async predict(image: RgbImage): Promise<{ readonly predicted: Uint8Array; readonly similarity: Float32Array }> {
    const found = await imageOutputs(this.#image, image);
    return { predicted: found.class!.data as Uint8Array, similarity: floats(found.similarity, "similarity") };
  }

  close(): Promise<void> {
    return this.#image.program.close();
  }

  /** For each share, γ that leaves so much of all pixels certain. */
  async gammasFor(shares: readonly number[]): Promise<number[]> {
    const builder = new SketchBuilder();
    for await (const [id, similarity] of this.#similarities("predicting")) {
      const every = new Uint8Array(similarity.length).fill(RIGHT);
      builder.add(
        id,
        similarity.map((s) => -s),
        every,
      );
    }
    const { total } = builder.finish();
    return shares.map((share) => -thresholdForPixels(total, share * pixelsOf(total))!);
  }

  /** For each γ, the share of every image that it calls certain. */
  async certainShares(gammas: readonly number[]): Promise<number[][]> {
    const shares = gammas.map((): number[] => []);
    for await (const [, similarity] of this.#similarities("counting certain pixels"))
      for (const [k, gamma] of gammas.entries()) shares[k]!.push(shareAtLeast(similarity, gamma));
    return shares;
  }

  async *#similarities(what: string): AsyncGenerator<[id: string, similarity: Float32Array]> {
    const { images, deployable, onProgress } = this.#request;
    for (const [index, item] of images.items.entries()) {
      const image = await readUnlabelled(images, item, deployable.config.view.height);
      yield [item.id, (await this.predict(image)).similarity];
      onProgress?.(what, index + 1, images.items.length);
    }
  }
}

/** The share of pixels that γ calls certain, compared as a deployed model compares them. */
function shareAtLeast(similarity: Float32Array, gamma: number): number {
  const least = Math.fround(gamma);
  return similarity.reduce((count, s) => count + Number(s >= least), 0) / similarity.length;
}
