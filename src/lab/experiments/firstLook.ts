import { imagesTensor, labelsTensor } from "../../data/images/tensors.js";
import { classes, UNKNOWN_LABEL } from "../../data/scenes/classes.js";
import { openScenes, type Scene } from "../../data/scenes/scenes.js";
import type { DomainName } from "../../data/scenes/spec.js";
import { input } from "../../engine/graph/value.js";
import { number, sub } from "../../engine/ops/elementwise.js";
import { argmax, max, softmax } from "../../engine/ops/reduce.js";
import { compile } from "../../engine/runtime/compile.js";
import type { Program, Runtime } from "../../engine/runtime/runtime.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { random } from "../../engine/tensor/random.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../../networks/models/deeplab.js";
import { Journey, restingPass } from "../../networks/nn/pass.js";
import { Scope } from "../../networks/nn/scope.js";
import { adamW } from "../../networks/optim/optimiser.js";
import { Stepper } from "../../networks/optim/stepper.js";
import { trainStep } from "../../networks/optim/trainStep.js";
import { auroc } from "../metrics/areas.js";
import { pixelsOf } from "../metrics/sketch.js";
import { SketchBuilder } from "../metrics/sketchSet.js";
import { judge } from "../metrics/verdict.js";

/**
 * A first look: a narrow DeepLabV3+ learns the drawn city, then meets places it has never seen.
 *
 *   gssl demo
 *
 * Took: about a minute on two cores. Not a result of the paper: no unlabelled images are used here, and max-softmax is
 * the only uncertainty. It shows the problem that γ-SSL is about.
 */
export interface FirstLookOptions {
  readonly runtime: Runtime;
  readonly seed: number;
  readonly steps: number;
  readonly onDrawn?: (pictures: number) => void;
  readonly onStep?: (step: number, loss: number) => void;
}

/** How the network fares in one place. */
export interface PlaceResult {
  readonly place: DomainName;
  readonly pixels: number;
  readonly accuracy: number;
  /** Chance that a wrong pixel looks less certain than a right one, by max-softmax. */
  readonly auroc: number | null;
  /** Some pictures, what was predicted and how uncertain it was. */
  readonly examples: readonly Prediction[];
}

export interface Prediction {
  readonly scene: Scene;
  readonly predicted: Uint8Array;
  readonly uncertainty: Float32Array;
}

const SIZE = { height: 64, width: 128 } as const;
const BATCH = 8;
const TRAINING_PICTURES = 160;
const TEST_PICTURES = 24;
const EXAMPLES = 2;
const NETWORK = { classes: classes.length, width: 0.25, features: 48, asppDropout: 0 } as const;
const LEARNING_RATE = 3e-3;
const PLACES = [
  ["city", "val"],
  ["town", "test"],
  ["forest", "test"],
  ["highland", "test"],
] as const;

export async function firstLook({ runtime, seed, steps, onDrawn, onStep }: FirstLookOptions): Promise<PlaceResult[]> {
  const source = await drawn("city", "train", TRAINING_PICTURES, seed);
  onDrawn?.(source.length);
  const weights = await learn(runtime, source, { seed, steps, ...(onStep && { onStep }) });
  const predictor = await openPredictor(runtime);
  const results: PlaceResult[] = [];
  for (const [place, split] of PLACES) {
    results.push(await visit(predictor, weights, place, await drawn(place, split, TEST_PICTURES, seed)));
  }
  await predictor.close();
  return results;
}

async function drawn(domain: DomainName, split: string, count: number, seed: number): Promise<Scene[]> {
  const scenes = await openScenes({ domain, split, count, seed, ...SIZE });
  return Promise.all(scenes.ids.map((id) => scenes.read(id)));
}

async function learn(
  runtime: Runtime,
  source: readonly Scene[],
  { seed, steps, onStep }: Pick<FirstLookOptions, "seed" | "steps" | "onStep">,
): Promise<Tensors> {
  const scope = new Scope();
  const network = new DeepLab(scope, NETWORK);
  const images = input("images", { dtype: "float32", shape: [BATCH, 3, SIZE.height, SIZE.width] });
  const labels = input("labels", { dtype: "int64", shape: [BATCH, SIZE.height, SIZE.width] });
  const journey = new Journey();
  const pass = journey.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  const step = trainStep({ loss, params: scope.params, optimiser: adamW(), gathered: journey.updates });
  const stepper = await Stepper.open(runtime, step, { seed });
  for (let at = 0; at < steps; at++) {
    const draw = random(seed, at, "batch");
    const batch = Array.from({ length: BATCH }, () => source[draw.below(source.length)]!);
    const feeds = {
      images: imagesTensor(batch),
      labels: labelsTensor(
        batch.map((scene) => scene.labels!),
        [SIZE.height, SIZE.width],
      ),
    };
    const measured = await stepper.run(feeds, LEARNING_RATE * (1 - at / steps) ** 0.9);
    onStep?.(at + 1, floats(measured.loss, "loss")[0]!);
  }
  await stepper.close();
  return stepper.state;
}

function openPredictor(runtime: Runtime): Promise<Program> {
  const network = new DeepLab(new Scope(), NETWORK);
  const images = input("images", { dtype: "float32", shape: [BATCH, 3, SIZE.height, SIZE.width] });
  const scores = upsampleScores(network.head(network.features(images, restingPass), restingPass));
  return compile(runtime, {
    outputs: { predicted: argmax(scores, 1), uncertainty: sub(number(1), max(softmax(scores, 1), [1])) },
  });
}

async function visit(
  predictor: Program,
  weights: Tensors,
  place: DomainName,
  scenes: readonly Scene[],
): Promise<PlaceResult> {
  const pixels = SIZE.height * SIZE.width;
  const sketches = new SketchBuilder();
  const examples: Prediction[] = [];
  for (let start = 0; start < scenes.length; start += BATCH) {
    const batch = scenes.slice(start, start + BATCH);
    const { predicted, uncertainty } = await predictor.run({ ...weights, images: imagesTensor(batch) });
    batch.forEach((scene, n) => {
      const span = [n * pixels, (n + 1) * pixels] as const;
      const ids = Uint8Array.from((predicted!.data as BigInt64Array).subarray(...span), Number);
      const doubt = floats(uncertainty, "uncertainty").slice(...span);
      const meaning = { classes: classes.length, unknown: [UNKNOWN_LABEL] };
      sketches.add(scene.id, doubt, judge(scene.id, scene.labels!, ids, meaning));
      if (examples.length < EXAMPLES) examples.push({ scene, predicted: ids, uncertainty: doubt });
    });
  }
  const { total } = sketches.finish();
  return {
    place,
    pixels: pixelsOf(total),
    accuracy: total.rights / pixelsOf(total),
    auroc: auroc(total).value,
    examples,
  };
}
