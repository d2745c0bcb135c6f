import { within } from "../../engine/graph/path.js";
import { constant, type Value } from "../../engine/graph/value.js";
import { cast, equal, mul, not } from "../../engine/ops/elementwise.js";
import { averagePool } from "../../engine/ops/pool.js";
import { mean } from "../../engine/ops/reduce.js";
import { int64 } from "../../engine/tensor/hostTensor.js";
import type { Pass, PassOptions } from "../../networks/layers/pass.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { upsampleScores } from "../../networks/models/deeplab.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import type { Crop } from "./batchInputs.js";
import type { GammaNetwork } from "./network.js";
import type { GammaOptions, LossName } from "./options.js";
import { uniformityLoss } from "./uniformityLoss.js";

/** Everything a stage of training is built from. */
export interface StageParts {
  readonly options: GammaOptions;
  readonly network: GammaNetwork;
  /** Gives the target of L_c: the network itself, or its average. */
  readonly teacher: GammaNetwork;
  /** A pass that learns: by batch statistics, or by running ones where they are frozen. */
  readonly pass: (options?: PassOptions) => Pass;
  readonly crop: Crop;
  readonly classes: number;
  readonly things: readonly number[];
}

export type Losses = Readonly<Partial<Record<LossName, Value>>>;

/** L_s (Eq. 11): cross-entropy of the head, at temperature 1. features [N, F, h, w], labels int64 [N, H, W]. */
export function supervisedLoss({ options, network, pass }: StageParts, features: Value, labels: Value): Value {
  return within("supervised", () => {
    const loss = crossEntropy(upsampleScores(network.head(features, pass())), labels);
    if (options.supervisedOver === "labelled") return loss;
    const labelled = cast(not(equal(labels, constant(int64([], [VOID_LABEL])))), "float32");
    return mul(loss, mean(labelled));
  });
}

/** L_u (Eq. 9) of features [N, F, h, w], averaged over cells before they are projected. */
export function spreadLoss({ options, network }: StageParts, features: Value, pass: Pass): Value {
  const { pooling, form, sharpness } = options.uniformity;
  return within("uniformity", () =>
    uniformityLoss(network.project(averagePool(features, pooling), pass), { form, sharpness }),
  );
}
