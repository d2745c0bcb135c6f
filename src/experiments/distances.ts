import { imagesTensor, labelsTensor } from "../data/images/tensors.js";
import { classes, UNKNOWN_LABEL } from "../data/scenes/classes.js";
import { openScenes, type Scene } from "../data/scenes/scenes.js";
import type { DomainName } from "../data/scenes/spec.js";
import { input, type Value } from "../engine/graph/value.js";
import { number, sub } from "../engine/ops/elementwise.js";
import { argmax, max, softmax } from "../engine/ops/reduce.js";
import { compile } from "../engine/runtime/compile.js";
import { nodeRuntime } from "../engine/runtime/node.js";
import type { Program, Runtime } from "../engine/runtime/runtime.js";
import { floats, type Tensors } from "../engine/tensor/hostTensor.js";
import { random } from "../engine/tensor/random.js";
import { auroc } from "../metrics/areas.js";
import { pixelsOf } from "../metrics/sketch.js";
import { SketchBuilder } from "../metrics/sketchSet.js";
import { judge } from "../metrics/verdict.js";
import { inferencePass, PassRecorder } from "../networks/layers/pass.js";
import { Scope } from "../networks/layers/scope.js";
import { crossEntropy } from "../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../networks/models/deeplab.js";
import { adamW } from "../networks/optim/optimiser.js";
import { Stepper } from "../networks/optim/stepper.js";
import { trainStep } from "../networks/optim/trainStep.js";

/** How `measureScenes` trains. */
export interface MeasuringOptions {
  readonly seed: number;
  readonly threads: number;
  readonly plan?: MeasuringPlan | undefined;
  readonly onStep?: ((step: number, steps: number, loss: number) => void) | undefined;
}

/** How much is drawn and learned. */
export interface MeasuringPlan {
  readonly height: number;
  readonly width: number;
  readonly trainingImages: number;
  readonly testImages: number;
  /** Channels of the penultimate features. */
  readonly features: number;
  readonly steps: number;
  readonly places: readonly DomainName[];
}

const measuringPlan: MeasuringPlan = {
  height: 128,
  width: 256,
  trainingImages: 500,
  testImages: 64,
  features: 64,
  steps: 800,
  places: ["city", "dusk", "night", "town", "forest", "foothills", "highland", "wild"],
};

/** How the network fares in one place. */
export interface PlaceResult {
  readonly place: DomainName;
  readonly pixels: number;
  readonly accuracy: number;
  /** SeededRandom that a wrong pixel looks less certain than a right one, by max-softmax. */
  readonly auroc: number | null;
}

const BATCH = 8;
/** Share of ResNet-18's channels: enough for drawn streets. */
const WIDTH = 0.25;
const LEARNING_RATE = 3e-3;

/** Accuracy of one network in each place. */
export interface Distances {
  readonly plan: MeasuringPlan;
  readonly places: readonly PlaceResult[];
}

/**
 * How far apart the drawn places are: a narrow DeepLabV3+ learns the city, then meets places it has never seen.
 * Not a result of the paper: no unlabelled images are used here, and max-softmax is the only uncertainty.
 */
export async function measureScenes({
  seed,
  threads,
  plan = measuringPlan,
  onStep,
}: MeasuringOptions): Promise<Distances> {
  const runtime = nodeRuntime({ threads });
  const source = await drawn("city", "train", plan.trainingImages, plan, seed);
  const weights = await learn(runtime, source, plan, seed, (step, loss) => onStep?.(step, plan.steps, loss));
  const predictor = await openPredictor(runtime, plan);
  const places: PlaceResult[] = [];
  for (const place of plan.places) {
    const scenes = await drawn(place, place === "city" ? "val" : "test", plan.testImages, plan, seed);
    places.push(await visit(predictor, weights, place, scenes));
  }
  await predictor.close();
  return { plan, places };
}

async function drawn(
  domain: DomainName,
  split: string,
  count: number,
  { height, width }: MeasuringPlan,
  seed: number,
): Promise<Scene[]> {
  const scenes = await openScenes({ domain, split, count, seed, height, width });
  return Promise.all(scenes.ids.map((id) => scenes.read(id)));
}

const build = ({ features }: MeasuringPlan, scope: Scope): DeepLab =>
  new DeepLab(scope, { classes: classes.length, width: WIDTH, features, asppDropout: 0 });

const imagesInput = ({ height, width }: MeasuringPlan): Value =>
  input("images", { dtype: "float32", shape: [BATCH, 3, height, width] });

async function learn(
  runtime: Runtime,
  source: readonly Scene[],
  plan: MeasuringPlan,
  seed: number,
  onStep: (step: number, loss: number) => void,
): Promise<Tensors> {
  const { height, width, steps } = plan;
  const scope = new Scope();
  const network = build(plan, scope);
  const images = imagesInput(plan);
  const labels = input("labels", { dtype: "int64", shape: [BATCH, height, width] });
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  const step = trainStep({ loss, params: scope.params, optimiser: adamW(), gathered: recorder.updates });
  const stepper = await Stepper.open(runtime, step, { seed });
  for (let at = 0; at < steps; at++) {
    const draw = random(seed, at, "batch");
    const batch = Array.from({ length: BATCH }, () => source[draw.below(source.length)]!);
    const feeds = {
      images: imagesTensor(batch),
      labels: labelsTensor(
        batch.map((scene) => scene.labels!),
        [height, width],
      ),
    };
    const measured = await stepper.run(feeds, LEARNING_RATE * (1 - at / steps) ** 0.9);
    onStep?.(at + 1, floats(measured.loss, "loss")[0]!);
  }
  return stepper.state().finally(() => stepper.close());
}

function openPredictor(runtime: Runtime, plan: MeasuringPlan): Promise<Program> {
  const network = build(plan, new Scope());
  const images = imagesInput(plan);
  const scores = upsampleScores(network.head(network.features(images, inferencePass), inferencePass));
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
  const pixels = scenes[0]!.height * scenes[0]!.width;
  const sketches = new SketchBuilder();
  for (let start = 0; start < scenes.length; start += BATCH) {
    const batch = scenes.slice(start, start + BATCH);
    const { predicted, uncertainty } = await predictor.run({ ...weights, images: imagesTensor(batch) });
    batch.forEach((scene, n) => {
      const span = [n * pixels, (n + 1) * pixels] as const;
      const ids = Uint8Array.from((predicted!.data as BigInt64Array).subarray(...span), Number);
      const doubt = floats(uncertainty, "uncertainty").slice(...span);
      const meaning = { classes: classes.length, unknown: [UNKNOWN_LABEL] };
      sketches.add(scene.id, doubt, judge(scene.id, scene.labels!, ids, meaning));
    });
  }
  const { total } = sketches.finish();
  return {
    place,
    pixels: pixelsOf(total),
    accuracy: total.rights / pixelsOf(total),
    auroc: auroc(total).value,
  };
}
