import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { labelledBatch, pairBatch } from "./batchInputs.js";
import { labelledCells, prototypeSupervision } from "./branches.js";
import { type Losses, type StageParts, spreadLoss, supervisedLoss } from "./losses.js";
import type { GammaOptions } from "./options.js";
import { batchPrototypes } from "./prototypes.js";

/** Whether the first stage has L_u, and so looks at the target. */
export const spreadsFirst = ({ weights, uniformity }: GammaOptions): boolean =>
  weights.uniformity > 0 && uniformity.pretraining;

/**
 * The first stage (section VI-B): L_s, L_u over features of the target, and where the options ask for it prototype segmentation of
 * the source.
 */
export function pretraining(parts: StageParts): Losses {
  const { options, network, crop } = parts;
  const { weights, batch } = options;
  const source = labelledBatch("source", batch.source, crop);
  const features = network.features(source.images, parts.pass());
  const byPrototypes = weights.prototypeSupervision > 0;
  const segmented = (): Value => {
    const embeddings = network.project(features, parts.pass());
    const own = batchPrototypes(embeddings, labelledCells(parts, source), parts.classes);
    return prototypeSupervision(parts, embeddings, source.labels, own);
  };
  const spread = (): Value => {
    const { images } = pairBatch("target", batch.target, crop).second;
    // g_ρ keeps the statistics of pixels; where it never sees any, those of averaged cells.
    return spreadLoss(parts, network.features(images, parts.pass()), parts.pass({ keepStatistics: byPrototypes }));
  };
  return {
    supervised: supervisedLoss(parts, features, source.labels),
    ...(byPrototypes && { prototypeSupervision: within("prototypes", segmented) }),
    ...(spreadsFirst(options) && { uniformity: spread() }),
  };
}
