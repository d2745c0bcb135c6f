import { pairOfViews } from "../data/augment/pairOfViews.js";
import type { Dataset } from "../data/datasets/dataset.js";
import { pairNames } from "../data/loader/batchPlan.js";
import { readUnlabelled } from "../data/loader/readScaled.js";
import { constant } from "../engine/graph/value.js";
import { cast } from "../engine/ops/elementwise.js";
import { compile } from "../engine/runtime/compile.js";
import type { Program, Runtime } from "../engine/runtime/runtime.js";
import { float32, floats, type Tensors } from "../engine/tensor/hostTensor.js";
import { random } from "../engine/tensor/random.js";
import { viewPixels } from "../methods/gamma-ssl/viewPixels.js";
import { pixelsOf } from "../metrics/sketch.js";
import { SketchBuilder, type SketchSet } from "../metrics/sketchSet.js";
import { NOT_SCORED, RIGHT, WRONG } from "../metrics/verdict.js";
import { DECODER_STRIDE } from "../networks/models/deeplab.js";
import { UserError } from "../platform/errors.js";
import type { Deployable } from "./deployable.js";

export interface ViewOptions {
  /** Pairs of views of each image. */
  readonly views: number;
  readonly seed: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Two views of every image, drawn as in training, several times: how sure each pixel is, by whether both agree on its class.
 * "Right" in these sketches is "consistent", and uncertainty is minus the confidence, so that a threshold is exactly minus γ.
 * One sketch an image: they add up over images, folders and machines.
 */
export async function viewSketches(
  runtime: Runtime,
  ready: Deployable,
  images: Dataset,
  { views, seed, onProgress }: ViewOptions,
): Promise<SketchSet> {
  const { view } = ready.config;
  const program = await pairProgram(runtime, ready);
  const builder = new SketchBuilder();
  const [height, width] = view.crop;
  const pixels = height * width;
  const names = pairNames("target");
  for (const [index, item] of images.items.entries()) {
    const image = await readUnlabelled(images, item, view.height);
    const uncertainty = new Float32Array(views * pixels);
    const verdict = new Uint8Array(views * pixels);
    for (let k = 0; k < views; k++) {
      const draw = (purpose: string) => random(seed, "threshold", index, k, purpose);
      const [first, second] = [new Float32Array(3 * pixels), new Float32Array(3 * pixels)];
      const pair = pairOfViews(image, view, DECODER_STRIDE, draw, { first, second });
      const rows = [1, height, height / DECODER_STRIDE];
      const columns = [1, width, width / DECODER_STRIDE];
      const feeds: Tensors = {
        [names.first.images]: float32([1, 3, height, width], first),
        [names.first.rows]: float32(rows, pair.first.rows),
        [names.first.columns]: float32(columns, pair.first.columns),
        [names.second.images]: float32([1, 3, height, width], second),
        [names.second.rows]: float32(rows, pair.second.rows),
        [names.second.columns]: float32(columns, pair.second.columns),
        [names.valid]: float32([1, height, width], pair.valid),
      };
      const { confidence, consistent } = await program.run({ ...ready.run.weights, ...feeds });
      const sure = floats(confidence, "confidence");
      for (let i = 0; i < pixels; i++) {
        uncertainty[k * pixels + i] = -sure[i]!;
        verdict[k * pixels + i] = pair.valid[i]! < 0.5 ? NOT_SCORED : consistent!.data[i] === 1 ? RIGHT : WRONG;
      }
    }
    builder.add(item.id, uncertainty, verdict);
    onProgress?.(index + 1, images.items.length);
  }
  await program.close();
  const set = builder.finish();
  if (pixelsOf(set.total) === 0) {
    throw new UserError(`no two views of ${images.spec} lie on each other`, { hint: "are its images very small?" });
  }
  return set;
}

function pairProgram(runtime: Runtime, { network, prototypes, config }: Deployable): Promise<Program> {
  const { options, view } = config;
  const { confidence, consistent } = viewPixels(network, constant(prototypes), options, {
    images: 1,
    crop: view.crop,
  });
  return compile(runtime, { outputs: { confidence, consistent: cast(consistent, "uint8") } });
}
