import type { Dataset } from "../../../data/datasets/dataset.js";
import { drawnScenesIds } from "../../../data/labels/drawnScenes.js";
import { batchFeeds } from "../../../data/loader/batchFeeds.js";
import type { BatchPlan } from "../../../data/loader/batchPlan.js";
import type { ScaledImage } from "../../../data/loader/imageCache.js";
import { drawScene, sceneId } from "../../../data/scenes/drawScene.js";
import { labelling, parseScenes } from "../../../data/scenes/spec.js";
import type { Batches } from "../../../training/stage.js";

/** A set of drawn scenes as the list of images that `openDataset` finds, without files. */
export function drawnDataset(spec: string): Dataset {
  const parsed = parseScenes(spec);
  const labelled = labelling(parsed.domain, parsed.split) === "labelled";
  return {
    spec,
    items: Array.from({ length: parsed.count }, (_, index) => {
      const id = sceneId(parsed, index);
      return { id, image: id, labels: labelled ? id : null };
    }),
    labelling: labelled ? drawnScenesIds : null,
  };
}

/** Images of drawn sets: each is drawn when it is first asked for, to the pixel as Node draws it, and kept. */
export class DrawnImages {
  readonly #kept = new Map<string, ScaledImage>();

  read({ spec, labelling: labels }: Dataset, index: number): ScaledImage {
    const key = `${spec} ${index}`;
    const image = this.#kept.get(key) ?? drawn(spec, index);
    this.#kept.set(key, image);
    return labels === null ? { ...image, labels: null } : image;
  }

  /** The batches of a plan, each made when it is asked for. */
  batches(plan: BatchPlan): Batches {
    return {
      batch: (step) => batchFeeds(plan, step, async ({ dataset }, index) => this.read(dataset, index)),
      waitedMs: 0,
      close: async () => {},
    };
  }
}

function drawn(spec: string, index: number): ScaledImage {
  const { rgb, labels, width, height } = drawScene(parseScenes(spec), index);
  const { meaning } = drawnScenesIds.rule;
  return { rgb, width, height, labels: labels?.map((id) => meaning[id]!) ?? null };
}
