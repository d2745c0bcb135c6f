import { within } from "../../engine/graph/path.js";
import type { Value } from "../../engine/graph/value.js";
import { labelledBatch, pairBatch } from "./batchInputs.js";
import { labelledCells, prototypeSupervision } from "./branches.js";
import { batchPrototypes } from "./prototypes.js";
import { type Losses, type StageParts, spreadLoss, supervisedLoss } from "./stage.js";

/** The first stage (section VI-B): L_s and L_u alone; where the options ask for it, prototype segmentation of the source, too. */
export function pretraining(parts: StageParts): Losses {
  const { options, network, journey, crop } = parts;
  const { weights, uniformity, batch, prototypes } = options;
  const source = labelledBatch("source", batch.source, crop);
  const features = network.features(source.images, journey.pass());
  const byPrototypes = prototypes.pretrained && weights.prototypeSupervision > 0;
  const segmented = (): Value => {
    const embeddings = network.project(features, journey.pass());
    const own = batchPrototypes(embeddings, labelledCells(parts, source), parts.classes);
    return prototypeSupervision(parts, embeddings, source.labels, own);
  };
  const others = (): Value => network.features(pairBatch("target", batch.target, crop).second.images, journey.pass());
  // g_ρ keeps the statistics of pixels; where it never sees any, those of averaged cells.
  const spread = (): Value =>
    spreadLoss(
      parts,
      uniformity.pretrainOn === "source" ? features : others(),
      journey.pass({ keepStatistics: byPrototypes }),
    );
  return {
    supervised: supervisedLoss(parts, features, source.labels),
    ...(byPrototypes && { prototypeSupervision: within("prototypes", segmented) }),
    ...(weights.uniformity > 0 && { uniformity: spread() }),
  };
}
