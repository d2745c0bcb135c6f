import { constant, type Value } from "../../engine/graph/value.js";
import { cast, equal, greater, number, stopGradient, where } from "../../engine/ops/elementwise.js";
import { gather } from "../../engine/ops/gather.js";
import { concat, slice } from "../../engine/ops/shaping.js";
import { int64 } from "../../engine/tensor/hostTensor.js";
import { crossEntropy } from "../../networks/losses/crossEntropy.js";
import { DECODER_STRIDE, upsampleScores } from "../../networks/models/deeplab.js";
import { VOID_LABEL } from "../../platform/voidLabel.js";
import type { LabelledBatch, PairBatch } from "./batchInputs.js";
import { labelCells } from "./labelCells.js";
import type { StageParts } from "./losses.js";
import { batchPrototypes, mostRecent, type Prototypes, storedPrototypes } from "./prototypes.js";
import { sharpened, similarities } from "./segmentation.js";

/**
 * E of several batches [N_i, 3, H, W] -> features of each.
 *
 * Batch statistics would mix domains, so each batch is normalised, and gathers statistics, on its own and in this order. With
 * frozen statistics batches do not see each other, and all go through the encoder at once.
 */
export function encode({ network, pass, options }: StageParts, batches: readonly Value[]): Value[] {
  const features = (images: Value): Value => network.features(images, pass());
  return options.batchNorm === "batch" ? batches.map(features) : together(batches, features);
}

/** What a function makes of several batches, all at once. */
function together(batches: readonly Value[], apply: (all: Value) => Value): Value[] {
  const all = apply(concat(batches, 0));
  let start = 0;
  return batches.map((batch) => {
    const end = start + batch.shape[0]!;
    const own = slice(all, 0, start, end);
    start = end;
    return own;
  });
}

/** g_ρ of the features of several batches: the embeddings of one of them, by its place in the list, computed once they are asked for. */
export function embedder({ network, pass, options }: StageParts, features: readonly Value[]): (index: number) => Value {
  const embed = (batch: Value): Value => network.project(batch, pass());
  if (options.batchNorm === "frozen") {
    const all = together(features, embed);
    return (index) => all.at(index)!;
  }
  const known = new Map<Value, Value>();
  return (index) => {
    const batch = features.at(index)!;
    const embeddings = known.get(batch) ?? embed(batch);
    known.set(batch, embeddings);
    return embeddings;
  };
}

/** Cross-entropy of prototype segmentation on source labels: embeddings [N, F, h, w], labels int64 [N, H, W]. */
export function prototypeSupervision(
  { options }: StageParts,
  embeddings: Value,
  labels: Value,
  prototypes: Prototypes,
): Value {
  const scores = sharpened(similarities(embeddings, prototypes), options.temperature);
  return crossEntropy(upsampleScores(scores), labelsWithPrototype(labels, prototypes));
}

/** Labels at the size of the embeddings: int64 [N, h, w]. */
export const labelledCells = ({ options, classes, things }: StageParts, { labels }: LabelledBatch): Value =>
  labelCells(labels, { classes, side: DECODER_STRIDE, rule: options.prototypes.labels, things });

/** Prototypes of this step (Eq. 1, section X-C): embeddings [N, F, h, w] of labelled images, and what is remembered. */
export function currentPrototypes(
  parts: StageParts,
  embeddings: Value,
  labelled: LabelledBatch,
  remembered: Value,
): Prototypes {
  const batch = batchPrototypes(embeddings, labelledCells(parts, labelled), parts.classes);
  return parts.options.prototypes.history ? mostRecent(batch, storedPrototypes(remembered)) : batch;
}

/**
 * The target branch f (Eq. 6): sharpened scores [N, K, H, W] of the first view. No gradient enters it, so it costs one pass
 * forward; and it gathers no statistics.
 */
export function targetScores(
  { options, teacher, pass }: StageParts,
  pair: PairBatch,
  byPrototypes: (embeddings: Value) => Value,
): Value {
  const byDropout = options.perturbation.kind === "dropout";
  const view = byDropout ? pair.second : pair.first;
  const forward = pass({ keepStatistics: true, dropout: byDropout ? "on" : "off" });
  const features = stopGradient(teacher.features(view.images, forward));
  const scores =
    options.branches.target === "head"
      ? sharpened(teacher.head(features, forward), options.headTemperature)
      : byPrototypes(teacher.project(features, forward));
  return view.align(stopGradient(scores));
}

/** Labels int64 [N, H, W] with classes that have no prototype made void: there is nothing to be similar to. */
function labelsWithPrototype(labels: Value, { seen }: Prototypes): Value {
  const isVoid = equal(labels, constant(int64([], [VOID_LABEL])));
  const known = gather(cast(seen, "float32"), where(isVoid, constant(int64([], [0])), labels), 0);
  return where(greater(known, number(0.5)), labels, constant(int64([], [VOID_LABEL])));
}
