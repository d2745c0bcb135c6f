import type { Dataset } from "../../data/datasets/dataset.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { thresholdForPixels } from "../../metrics/matchedThreshold.js";
import { pixelsOf } from "../../metrics/sketch.js";
import { SketchBuilder } from "../../metrics/sketchSet.js";
import { RIGHT } from "../../metrics/verdict.js";
import { type Deployable, deploymentGraph, modelBytes } from "../export/deployment.js";
import { draftInfo } from "../export/exportRun.js";
import { readUnlabelled } from "../export/readUnlabelled.js";
import { DeployedModel } from "../model/deployedModel.js";

export interface ImagesRequest {
  readonly runtime: Runtime;
  readonly deployable: Deployable;
  readonly source: Dataset;
  /** Their labels are not opened. */
  readonly images: Dataset;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Whole images as a deployed model sees them. Its own γ does not matter here. */
export class DeployedImages {
  readonly model: DeployedModel;
  readonly #request: ImagesRequest;

  private constructor(model: DeployedModel, request: ImagesRequest) {
    this.model = model;
    this.#request = request;
  }

  static async open(request: ImagesRequest): Promise<DeployedImages> {
    const { runtime, deployable, source } = request;
    const certain = { mean: 0, deviation: 0, lowest: 0, images: 1, on: "nothing yet" };
    const info = draftInfo(deployable, source, { gamma: 0, from: "nowhere yet", certain });
    const graph = await deploymentGraph(runtime, deployable, info);
    return new DeployedImages(await DeployedModel.open(runtime, modelBytes(graph, info), "the model"), request);
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
    const { images, onProgress } = this.#request;
    for (const [index, item] of images.items.entries()) {
      const image = await readUnlabelled(images, item, this.model.info.height);
      yield [item.id, (await this.model.predict(image)).similarity];
      onProgress?.(what, index + 1, images.items.length);
    }
  }
}

/** The share of pixels that γ calls certain, compared as a deployed model compares them. */
function shareAtLeast(similarity: Float32Array, gamma: number): number {
  const least = Math.fround(gamma);
  return similarity.reduce((count, s) => count + Number(s >= least), 0) / similarity.length;
}
