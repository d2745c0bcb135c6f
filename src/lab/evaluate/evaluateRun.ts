import type { Dataset } from "../../data/datasets/dataset.js";
import { readScaled } from "../../data/loader/readScaled.js";
import { input, type Value } from "../../engine/graph/value.js";
import { reshape } from "../../engine/ops/shaping.js";
import type { Runtime } from "../../engine/runtime/runtime.js";
import { floats, type Tensors } from "../../engine/tensor/hostTensor.js";
import { UserError } from "../../errors.js";
import { energy } from "../../methods/baselines/energy.js";
import { entropy } from "../../methods/baselines/entropy.js";
import { maxLogit } from "../../methods/baselines/maxLogit.js";
import { maxSoftmax } from "../../methods/baselines/maxSoftmax.js";
import { prototypeScorer } from "../../methods/gamma-ssl/scorer.js";
import type { Scorer } from "../../methods/scorer.js";
import { cropTo, mirroredTo } from "../../networks/models/anySize.js";
import { WholeImages } from "../predict/wholeImages.js";
import { classesOf } from "../train/stage.js";
import { environment } from "./environment.js";
import type { Example } from "./examples.js";
import { fitPrototypes } from "./fitPrototypes.js";
import { networkOf, type TrainedRun } from "./openRun.js";
import type { ResultFile } from "./resultFile.js";
import type { PolicyName } from "./resultOf.js";
import { Tally } from "./tally.js";
import { trainedGamma } from "./trainedGamma.js";
import { chooseExamples, writeResult } from "./writeResult.js";

/** Methods that need nothing but the network's scores. */
const headScorers: readonly Scorer[] = [maxSoftmax(), entropy(), maxLogit, energy];

/** The name of the run's own method, prototype segmentation. */
const OWN = "gamma-ssl";

/** Names of the methods that a run can be evaluated with. */
export const methodsOf = ({ config }: TrainedRun): string[] => [
  ...(config.method === "gamma-ssl" ? [OWN] : []),
  ...headScorers.map(({ name }) => name),
];

export interface EvaluateOptions {
  readonly runtime: Runtime;
  readonly run: TrainedRun;
  /** The labelled source: prototypes are made of it. */
  readonly source: Dataset;
  readonly dataset: Dataset;
  readonly methods: readonly string[];
  readonly policy: PolicyName;
  /** Pictures to keep for the report. */
  readonly examples: number;
  readonly command: string;
  readonly onProgress?: (what: string, done: number, total: number) => void;
}

/** Run several methods over a labelled data set, in one pass through the network, and write a result for each. */
export async function evaluateRun(options: EvaluateOptions): Promise<ResultFile[]> {
  const { runtime, run, dataset, policy, onProgress } = options;
  const classes = classesOf(dataset);
  if (classes.length !== run.classes) {
    throw new UserError(`${dataset.spec} has ${classes.length} classes, the network of ${run.folder} ${run.classes}`, {
      hint: "choose the classes the network was trained on, with ?classes=",
    });
  }
  const { scorers, fitted, look } = await prepare(options);
  const images = new WholeImages(runtime, forward(scorers, look), { ...run.weights, ...fitted });
  const tallies = new Map(scorers.map(({ name }) => [name, new Tally({ classes: classes.length, policy })]));
  const kept = new Set(chooseExamples(dataset.items, options.examples).map(({ id }) => id));
  const examples = new Map<string, Example[]>(scorers.map(({ name }) => [name, []]));
  for (const [index, item] of dataset.items.entries()) {
    const { rgb, labels, width, height } = await readScaled(dataset, item, run.config.view.height);
    const answers = await images.run([{ rgb, width, height }]);
    for (const { name } of scorers) {
      const predicted = Uint8Array.from(answers[`${name}.predicted`]!.data, Number);
      const uncertainty = floats(answers[`${name}.uncertainty`], name);
      tallies.get(name)!.add({ id: item.id, labels: labels!, predicted, uncertainty });
      if (kept.has(item.id)) {
        examples.get(name)!.push({ id: item.id, width, height, rgb, labels: labels!, predicted, uncertainty });
      }
    }
    onProgress?.("scoring", index + 1, dataset.items.length);
  }
  await images.close();
  const results: ResultFile[] = [];
  for (const { name } of scorers) {
    const gamma = name === OWN ? await trainedGamma(run.folder) : null;
    const evaluation = {
      ...tallies.get(name)!.finish(),
      dataset: dataset.spec,
      method: name,
      classes: dataset.labelling!.classes.classes,
      policy,
      ...(gamma !== null && { gamma: { gamma: gamma.gamma, threshold: 1 - gamma.gamma } }),
      command: options.command,
      seeds: { training: run.config.seed },
      environment: environment(),
    };
    results.push((await writeResult(run.folder, evaluation, examples.get(name))).result);
  }
  return results;
}

interface Prepared {
  readonly scorers: readonly Scorer[];
  readonly fitted: Tensors;
  readonly look: ReturnType<typeof networkOf>["look"];
}

/** The methods asked for, with what they must learn from the source first. */
async function prepare({ runtime, run, source, methods }: EvaluateOptions): Promise<Prepared> {
  const known = methodsOf(run);
  const strange = methods.find((name) => !known.includes(name));
  if (strange !== undefined) {
    throw new UserError(`${run.folder} has no method "${strange}"`, { hint: `it has: ${known.join(", ")}` });
  }
  const { gamma, look } = networkOf(run);
  const scorers = headScorers.filter(({ name }) => methods.includes(name));
  if (gamma === null || run.config.method !== "gamma-ssl" || !methods.includes(OWN))
    return { scorers, fitted: {}, look };
  const prototypes = await fitPrototypes(runtime, run, run.config, gamma, source);
  const vectors = input("prototypes", { dtype: "float32", shape: prototypes.shape });
  return {
    scorers: [prototypeScorer(OWN, gamma, vectors, run.config.options), ...scorers],
    fitted: { prototypes },
    look,
  };
}

/** All methods on one pass: images of any size are continued by their mirror image, answers cut to their size. */
function forward(scorers: readonly Scorer[], look: Prepared["look"]): (images: Value) => Record<string, Value> {
  return (images) => {
    const answers = look(mirroredTo(images, 16));
    const outputs: Record<string, Value> = {};
    for (const { name, score } of scorers) {
      const { predicted, uncertainty } = score(answers);
      outputs[`${name}.predicted`] = cropMap(predicted, images);
      outputs[`${name}.uncertainty`] = cropMap(uncertainty, images);
    }
    return outputs;
  };
}

/** [N, H, W] to the height and width of the images. */
function cropMap(map: Value, images: Value): Value {
  const [n, h, w] = map.shape as [number, number, number];
  const [height, width] = images.shape.slice(2) as [number, number];
  return reshape(cropTo(reshape(map, [n, 1, h, w]), [height, width]), [n, height, width]);
}
