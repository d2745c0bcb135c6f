import { join } from "node:path";
import type { Value } from "../engine/graph/value.js";
import { add } from "../engine/ops/elementwise.js";
import type { Tensors } from "../engine/tensor/hostTensor.js";
import { sameShape } from "../engine/tensor/shape.js";
import {
  meanProbabilities,
  softTargetLoss,
  UNCERTAINTY_HEAD,
  UncertaintyHead,
  uncertaintyLoss,
} from "../methods/baselines/distillation.js";
import { labelledBatch } from "../methods/gamma-ssl/batchInputs.js";
import { PassRecorder } from "../networks/layers/pass.js";
import { type Param, Scope } from "../networks/layers/scope.js";
import { crossEntropy } from "../networks/losses/crossEntropy.js";
import { DeepLab, upsampleScores } from "../networks/models/deeplab.js";
import { adamW, shareOfRate } from "../networks/optim/optimiser.js";
import { trainStep } from "../networks/optim/trainStep.js";
import { UserError } from "../platform/errors.js";
import type { SupervisedConfig } from "../runs/config.js";
import { readSealedTensors } from "../runs/sealedTensors.js";
import { type Stage, type Training, withoutMemory } from "./stage.js";

/** Cross-entropy on labelled images: what most of the baselines start from. */
export const supervised = (config: SupervisedConfig): Stage => ({
  name: "supervised",
  ...course(config),
  build: (classes) => build(config, classes.length),
});

/** What every training on labelled images has in common, whatever it learns from them. */
function course(config: SupervisedConfig): Omit<Stage, "name" | "build"> {
  const { batch, view, steps, schedule } = config;
  return {
    steps,
    streams: ({ source }) => [{ kind: "labelled", name: "source", dataset: source, size: batch, view }],
    carryOver: withoutMemory,
    rate: (step, all) => config.learningRate * shareOfRate(step, all, schedule),
  };
}

function build(config: SupervisedConfig, classes: number): Training {
  const scope = new Scope();
  const network = new DeepLab(scope, { classes, ...config.network, spectralImage: config.view.crop });
  const { images, labels } = labelledBatch("source", config.batch, config.view.crop);
  const recorder = new PassRecorder();
  const pass = recorder.pass();
  const loss = crossEntropy(upsampleScores(network.head(network.features(images, pass), pass)), labels);
  return learning(config, { params: scope.params, recorder, loss });
}

/** A step that lowers a loss, with everything a training needs beside it. */
function learning(
  config: SupervisedConfig,
  parts: {
    readonly params: readonly Param[];
    readonly recorder: PassRecorder;
    readonly loss: Value;
    readonly measures?: Readonly<Record<string, Value>>;
  },
): Training {
  const { params, recorder, loss, measures = {} } = parts;
  const step = trainStep({
    loss,
    params,
    optimiser: adamW(),
    gathered: recorder.updates,
    group: ({ path, shape }) => ({
      // Biases and batch-norm parameters are vectors; decaying them only hurts.
      weightDecay: shape.length > 1 ? config.weightDecay : 0,
      learningRateFactor: path.startsWith("encoder.") ? config.encoderFactor : 1,
    }),
    ...(config.clipNorm !== null && { clipNorm: config.clipNorm }),
    measures,
  });
  return {
    step,
    params,
    noises: recorder.noises.map(({ shape }, i) => ({ name: `noise.${i}`, shape })),
    dials: {},
    watch: () => null,
  };
}

type Teacher = NonNullable<SupervisedConfig["teacher"]>;

/** Names of the teacher's weights among the student's. */
const PREFIX = "teacher";
/**
 * MCD-DSL (B-4): a network that learns from labels, and from what draws of an MC dropout network say about the same images. The
 * teacher is asked at the size of the features, where a step can afford all its draws.
 */
export const distilled = (config: SupervisedConfig, teacher: Teacher): Stage => ({
  name: "distillation",
  ...course(config),
  build: (classes) => buildDistilled(config, teacher, classes.length),
});

function buildDistilled(config: SupervisedConfig, teacher: Teacher, classes: number): Training {
  const { network: shape, batch } = config;
  const scope = new Scope();
  const student = new DeepLab(scope, { classes, ...shape });
  const second =
    teacher.learns === "uncertainty" ? new UncertaintyHead(scope.child(UNCERTAINTY_HEAD), shape.features) : null;
  const teacherScope = new Scope(PREFIX);
  const drawing = new DeepLab(teacherScope, { classes, ...shape, encoderDropout: teacher.rate });
  const { images, labels } = labelledBatch("source", batch, config.view.crop);
  const recorder = new PassRecorder();
  const [pass, draws] = [recorder.pass(), recorder.draw({ draws: teacher.passes, images: batch })];
  const said = meanProbabilities(drawing.head(drawing.features(images, draws), draws), teacher.passes);
  const features = student.features(images, pass);
  const logits = student.head(features, pass);
  const supervised = crossEntropy(upsampleScores(logits), labels);
  const distillation =
    second === null ? softTargetLoss(logits, said) : uncertaintyLoss(second.forward(features, pass), said);
  return {
    ...learning(config, {
      params: scope.params,
      recorder,
      loss: add(supervised, distillation),
      measures: { "loss.supervised": supervised, "loss.distillation": distillation },
    }),
    fixed: (folder) => teacherWeights(teacherScope.params, join(folder, teacher.weights)),
  };
}

async function teacherWeights(params: readonly Param[], path: string): Promise<Tensors> {
  const { tensors } = await readSealedTensors(path, "train the MC dropout network again");
  return Object.fromEntries(
    params.map(({ path: name, shape }) => {
      const own = name.slice(PREFIX.length + 1);
      const found = tensors[own];
      if (found === undefined || !sameShape(found.shape, shape)) {
        const is = found === undefined ? "not there" : `[${found.shape.join(", ")}]`;
        throw new UserError(`${path}: "${own}" is ${is}, wanted [${shape.join(", ")}]`, {
          hint: "the teacher must have the width, features and classes of its student",
        });
      }
      return [name, found] as const;
    }),
  );
}
