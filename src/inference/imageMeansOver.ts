import type { Dataset } from "../data/datasets/dataset.js";
import { evenlySpread } from "../data/datasets/evenlySpread.js";
import { readUnlabelled } from "../data/loader/readScaled.js";
import type { Runtime, Signature } from "../engine/runtime/runtime.js";
import { floats, hostTensor } from "../engine/tensor/hostTensor.js";
import { imageSeen } from "../methods/parts/deployedParts.js";
import { pixelSignature } from "../methods/parts/deployedSignature.js";
import { imageMeans } from "../methods/parts/imageDistance.js";
import { dynamicShapePass } from "../networks/layers/pass.js";
import type { Deployable } from "./deployable.js";
import { BUILT_AT, bindWeights, normalisation, openBytes } from "./deployedProgram.js";
import type { ImageMeans } from "./fitPlaces.js";

/** Images looked at, evenly spread. */
const MOST_IMAGES = 256;

/** Images of a data set as a deployed model compares them, in order. Labels are not opened. */
export async function imageMeansOver(
  runtime: Runtime,
  { run, config, network }: Deployable,
  dataset: Dataset,
  onProgress?: (done: number, total: number) => void,
): Promise<ImageMeans[]> {
  const { height } = config.view;
  const { planes } = imageSeen(BUILT_AT, { height, normalisation });
  const means = imageMeans(network.encode(planes, dynamicShapePass));
  const signature: Signature = {
    inputs: pixelSignature.inputs,
    outputs: new Map([["means", { dtype: "float32", shape: means.shape }]]),
  };
  const graph = await bindWeights(runtime, { outputs: { means } }, run.weights);
  const program = await runtime.load(openBytes(graph, signature, {}), signature);
  try {
    const items = evenlySpread(dataset.items, MOST_IMAGES);
    const found: ImageMeans[] = [];
    for (const item of items) {
      const { rgb, ...size } = await readUnlabelled(dataset, item, height);
      const image = hostTensor("uint8", [1, size.height, size.width, 3], rgb);
      found.push(Float32Array.from(floats((await program.run({ image })).means, "means")));
      onProgress?.(found.length, items.length);
    }
    return found;
  } finally {
    await program.close();
  }
}
