import { recolour } from "../../data/augment/colour/recolour.js";
import { drawGlobal } from "../../data/augment/geometry.js";
import { imageThrough } from "../../data/augment/resample.js";
import type { Dataset } from "../../data/datasets/dataset.js";
import { normalise } from "../../data/images/tensors.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { input, type Value } from "../../engine/graph/value.js";
import { cast, equal } from "../../engine/ops/elementwise.js";
import { argmax, mean } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { float32, floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { GammaNetwork } from "../../methods/gamma-ssl/network.js";
import { restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { startOf } from "../../networks/optim/trainStep.js";
import type { GammaConfig } from "./config.js";
import { unlabelledView } from "./unlabelledView.js";

/** Frames looked at, evenly spread over the data set. */
const FRAMES = 100;

export interface Arrival {
  readonly classes: readonly string[];
  /** The network as it arrives; what is missing is drawn from the seed, as it will be in the step. */
  readonly weights: Tensors;
  readonly frames: Dataset;
  readonly seed: number;
}

/**
 * How familiar a place is to a network that has not learnt from it: the share of the head's answers to plain views that drawn colours leave
 * as they are. It takes no labels.
 */
export async function keptAnswers(
  runtime: Runtime,
  config: GammaConfig,
  { classes, weights, frames, seed }: Arrival,
): Promise<number> {
  const view = unlabelledView(config);
  const [height, width] = view.crop;
  const shape = [1, 3, height, width];
  const network = new GammaNetwork(new Scope(), { ...config.options.network, classes: classes.length });
  const answers = (name: string): Value =>
    argmax(network.head(network.features(input(name, { dtype: "float32", shape }), restingPass), restingPass), 1);
  const same = mean(cast(equal(answers("plain"), answers("drawn")), "float32"));
  const program = await compile(runtime, { outputs: { same } });
  const known = Object.fromEntries(
    network.params.map((param) => [param.path, weights[param.path] ?? startOf(param)(seed)]),
  );
  const every = Math.ceil(frames.items.length / FRAMES);
  const chosen = frames.items.filter((_, index) => index % every === 0);
  let total = 0;
  try {
    for (const [index, item] of chosen.entries()) {
      const { rgb, ...extent } = await readScaled(frames, item, view.height);
      const draw = (purpose: string) => random(seed, "arrival", index, purpose);
      const plain = new Float32Array(3 * height * width);
      imageThrough(drawGlobal(view, extent, draw("global")), rgb, plain);
      const drawn = plain.slice();
      recolour(drawn, view.crop, view.colour, draw("colour"));
      for (const planes of [plain, drawn]) normalise(planes);
      const feeds = { plain: float32(shape, plain), drawn: float32(shape, drawn) };
      total += floats((await program.run({ ...known, ...feeds })).same, "same")[0]!;
    }
  } finally {
    await program.close();
  }
  return total / chosen.length;
}
