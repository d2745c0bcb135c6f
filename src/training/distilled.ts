import { join } from "node:path";
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
import { UserError } from "../platform/errors.js";
import type { SupervisedConfig } from "../runs/config.js";
import { readSealedTensors } from "../runs/sealedTensors.js";
import type { Stage, Training } from "./stage.js";
import { course, learning } from "./supervised.js";

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
  build: (classes) => build(config, teacher, classes.length),
});

function build(config: SupervisedConfig, teacher: Teacher, classes: number): Training {
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
