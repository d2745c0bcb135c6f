import { findLeaks, sharedImages } from "../data/datasets/leaks.js";
import { parseSpec } from "../data/datasets/spec.js";
import type { CheckedDataset } from "../data/open/openChecked.js";
import type { TrainConfig } from "../runs/config.js";
import { unseenClasses } from "./validatedData.js";

/** Fewer labelled images than this teach no class; fewer unlabelled ones are no place. */
const FEW_LABELLED = 20;
const FEW_TARGET = 10;

/** What is allowed but will disappoint, in sentences: to be read before the first step. */
export async function dataWarnings(
  config: TrainConfig,
  source: CheckedDataset,
  targets: readonly CheckedDataset[],
): Promise<string[]> {
  const warnings: string[] = [];
  const unseen = unseenClasses(source);
  if (unseen !== null) warnings.push(unseen);
  const labelled = source.dataset.items.length;
  if (labelled < FEW_LABELLED) {
    warnings.push(`only ${images(labelled)} with labels: too few to learn classes from; some hundred are usual`);
  }
  for (const target of targets) {
    const { spec, items } = target.dataset;
    if (items.length < FEW_TARGET) {
      warnings.push(`only ${images(items.length)} in the target ${spec}: the network and γ will suit these alone`);
    }
    const shared = sharedImages(source, target).length;
    if (shared > 0) {
      warnings.push(
        `${shared} of the ${items.length} images of the target ${spec} are images of the source: γ-SSL adapts to another place, which needs images of that place`,
      );
    } else if ((await findLeaks(source, target)).some(({ severity }) => severity === "error")) {
      warnings.push(`the target ${spec} has frames of the source's own recordings: it is hardly another place`);
    }
  }
  if (config.weights === null && parseSpec(config.source).reader !== "scenes") {
    warnings.push(
      "the network starts from random weights; on photographs, start from ImageNet's (--weights, docs/networks.md)",
    );
  }
  return warnings;
}

const images = (count: number): string => (count === 1 ? "1 image" : `${count} images`);
