import { UserError } from "../../platform/errors.js";
import { fillCache } from "./cache.js";
import { drawScene, type Scene, sceneId } from "./drawScene.js";
import { checkSpec, formatScenes, labelling, type ScenesSpec } from "./spec.js";

export type { Scene } from "./drawScene.js";

/** A split of a domain: sorted ids, and an image for each. */
export interface Scenes {
  readonly spec: ScenesSpec;
  readonly name: string;
  readonly labelled: boolean;
  readonly ids: readonly string[];
  read(id: string): Promise<Scene>;
}

export interface OpenOptions {
  /** Keep rendered images in a folder below this one, and use those that are there. Without it each read draws. */
  readonly cache?: string;
  /** Called as images are found or drawn. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Open a built-in set of driving scenes. The same spec is the same pixels, in any order and from any process. */
export async function openScenes(
  given: Parameters<typeof checkSpec>[0],
  { cache, onProgress }: OpenOptions = {},
): Promise<Scenes> {
  const spec = checkSpec(given);
  const labelled = labelling(spec.domain, spec.split) === "labelled";
  const ids = Array.from({ length: spec.count }, (_, index) => sceneId(spec, index));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const stored = cache === undefined ? undefined : await fillCache(cache, { spec, labelled, onProgress });
  return {
    spec,
    name: formatScenes(spec),
    labelled,
    ids,
    async read(id) {
      const index = indexOf.get(id);
      if (index === undefined) {
        throw new UserError(`scenes: no image "${id}" in ${formatScenes(spec)}`, {
          hint: `ids run from ${ids[0]} to ${ids.at(-1)}`,
        });
      }
      return stored === undefined ? drawScene(spec, index) : stored(index);
    },
  };
}
